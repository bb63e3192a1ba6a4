// n=200000 q=200000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int par[200005], head_[200005], dep[200005], sz[200005], heavy[200005]; vector<int> g[200005];
int lca(int a,int b){ while(head_[a]!=head_[b]){ if(dep[head_[a]]<dep[head_[b]]) swap(a,b); a=par[head_[a]]; } return dep[a]<dep[b]?a:b; }
int main(){ int n,q; cin>>n>>q; for(int i=2;i<=n;i++){cin>>par[i];g[par[i]].push_back(i);} for(int i=n;i>=1;i--){ sz[i]++; sz[par[i]]+=sz[i]; if(sz[i]>sz[heavy[par[i]]]) heavy[par[i]]=i; }
for(int i=1;i<=n;i++){ dep[i]=dep[par[i]]+1; head_[i]= heavy[par[i]]==i?head_[par[i]]:i; } while(q--){int a,b;cin>>a>>b;cout<<lca(a,b)<<"\n";} }
