#include <bits/stdc++.h>
using namespace std;

int n;
vector<string> grid;
const int dx[] = {0, 0, 1, -1};
const int dy[] = {1, -1, 0, 0};

int bfs(int sx, int sy) {
    queue<pair<int, int>> q;
    q.push({sx, sy});
    grid[sx][sy] = '.';
    int area = 0;
    while (!q.empty()) {
        auto [x, y] = q.front();
        q.pop();
        area++;
        for (int k = 0; k < 4; k++) {
            int nx = x + dx[k], ny = y + dy[k];
            if (nx < 0 || ny < 0 || nx >= n || ny >= n) continue;
            if (grid[nx][ny] != '#') continue;
            grid[nx][ny] = '.';
            q.push({nx, ny});
        }
    }
    return area;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    cin >> n;
    grid.resize(n);
    for (auto& row : grid) cin >> row;
    int islands = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (grid[i][j] == '#') {
                islands++;
                largest = max(largest, bfs(i, j));
            }
        }
    }
    cout << islands << " " << largest << endl;
}
