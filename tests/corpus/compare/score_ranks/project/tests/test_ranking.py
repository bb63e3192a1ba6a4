from league.ranking import podium, ranks


class TestRanks:
    def test_distinct(self):
        assert ranks([10, 30, 20]) == [3, 1, 2]

    def test_ties(self):
        assert ranks([5, 7, 7, 1]) == [3, 1, 1, 4]

    def test_season(self):
        scores = [(i * 7919) % 401 for i in range(180)]
        places = ranks(scores)
        assert min(places) == 1
        assert max(places) <= 180

    def test_many_ties(self):
        places = ranks([i % 10 for i in range(150)])
        assert sorted(set(places)) == [1 + 15 * i for i in range(10)]

    def test_empty(self):
        assert ranks([]) == []


def test_podium():
    assert podium(["ann", "bob", "cyd", "dan"], [3, 9, 9, 1]) == ["ann", "bob", "cyd"]
