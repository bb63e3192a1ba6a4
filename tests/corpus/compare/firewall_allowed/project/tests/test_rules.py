import unittest

from firewall.rules import Firewall, Rule


class FirewallTest(unittest.TestCase):
    def setUp(self):
        self.firewall = Firewall([Rule(f"10.{i}.", 8000 + i % 3) for i in range(120)])

    def test_allowed(self):
        self.assertTrue(self.firewall.allows("10.4.7.1", 8001))

    def test_other_port(self):
        self.assertFalse(self.firewall.allows("10.4.7.1", 22))

    def test_other_net(self):
        self.assertFalse(self.firewall.allows("192.168.0.1", 8000))

    def test_filter(self):
        packets = [("10.0.0.1", 8000), ("10.1.0.1", 8000), ("10.3.0.1", 8000)]
        self.assertEqual(self.firewall.filter(packets), [packets[0], packets[2]])

    def test_no_rules(self):
        self.assertFalse(Firewall([]).allows("10.0.0.1", 80))
