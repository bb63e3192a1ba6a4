#include <functional>
#include <iostream>
#include <queue>
#include <vector>
using namespace std;

class MedianFinder {
    priority_queue<int> low;
    priority_queue<int, vector<int>, greater<int>> high;

public:
    void addNum(int x) {
        low.push(x);
        high.push(low.top());
        low.pop();
        if (high.size() > low.size()) {
            low.push(high.top());
            high.pop();
        }
    }
    double findMedian() {
        if (low.size() > high.size()) return low.top();
        return (low.top() + (double)high.top()) / 2;
    }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(0);
    int n;
    cin >> n;
    MedianFinder finder;
    double total = 0;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        finder.addNum(x);
        total += finder.findMedian();
    }
    cout.precision(12);
    cout << total / n << "\n";
    return 0;
}
