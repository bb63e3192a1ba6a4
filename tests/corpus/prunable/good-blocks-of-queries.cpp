// n=100000 q=100000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main(){ int n,q; cin>>n>>q; vector<int> a(n); for(auto&x:a)cin>>x; int B=max(1,(int)(n/sqrt(q+1))); vector<array<int,3>> qs(q); for(int i=0;i<q;i++){cin>>qs[i][0]>>qs[i][1];qs[i][2]=i;}
sort(qs.begin(),qs.end(),[&](auto&x,auto&y){ return make_pair(x[0]/B,x[1])<make_pair(y[0]/B,y[1]);});
int L=0,R=-1; vector<int> ans(q),cnt(1000001); int cur=0;
for(auto&[l,r,id]:qs){ while(R<r) cur+=cnt[a[++R]]++==0; while(L>l) cur+=cnt[a[--L]]++==0; while(R>r) cur-=--cnt[a[R--]]==0; while(L<l) cur-=--cnt[a[L++]]==0; ans[id]=cur; } for(int x:ans) cout<<x<<"\n"; }
