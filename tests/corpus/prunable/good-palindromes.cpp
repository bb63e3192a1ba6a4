// n=1000000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main(){ string s; cin>>s; int n=s.size(); vector<int> d(n); for(int i=0,l=0,r=-1;i<n;i++){ int k=(i>r)?1:min(d[l+r-i],r-i+1); while(i-k>=0&&i+k<n&&s[i-k]==s[i+k]) k++; d[i]=k--; if(i+k>r){l=i-k;r=i+k;} } cout<<*max_element(d.begin(),d.end()); }
