// n=1000000000000000000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
typedef vector<vector<long long>> M; const int K=2; M mul(const M&a,const M&b){ M c(K,vector<long long>(K)); for(int i=0;i<K;i++)for(int j=0;j<K;j++)for(int k=0;k<K;k++)c[i][j]=(c[i][j]+a[i][k]*b[k][j])%1000000007; return c;}
int main(){ long long n; cin>>n; M r={{1,0},{0,1}},m={{1,1},{1,0}}; while(n){ if(n&1) r=mul(r,m); m=mul(m,m); n>>=1;} cout<<r[0][1]; }
