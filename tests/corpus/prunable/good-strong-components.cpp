// n=200000 m=400000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
vector<int> g[200005]; int tin[200005], low[200005], comp[200005], timer_, cc; stack<int> st;
void dfs(int u){ tin[u]=low[u]=++timer_; st.push(u);
 for(int v: g[u]){ if(!tin[v]){ dfs(v); low[u]=min(low[u],low[v]); } else if(!comp[v]) low[u]=min(low[u],tin[v]); }
 if(tin[u]==low[u]){ cc++; while(true){ int v=st.top(); st.pop(); comp[v]=cc; if(v==u) break; } } }
int main(){ int n,m; cin>>n>>m; for(int i=0;i<m;i++){int a,b;cin>>a>>b;g[a].push_back(b);} for(int i=1;i<=n;i++) if(!tin[i]) dfs(i); cout<<cc; }
