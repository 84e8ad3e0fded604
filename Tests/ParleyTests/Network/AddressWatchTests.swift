import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct AddressWatchTests {
    private let home: Set<String> = ["192.0.2.1"]
    private let other: Set<String> = ["198.51.100.7"]

    @Test func `nothing is told while nothing changes`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        for time in stride(from: 0, to: 5_000, by: 500) { #expect(watch.look(home, now: at(time)) == .rest) }
    }

    @Test func `a change is told once it stays`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        #expect(watch.look(other, now: at(1_000)) == .look(at: at(1_250)))
        #expect(watch.look(other, now: at(1_250)) == .changed(AddressChange(hasLostAddress: true)))
        #expect(watch.look(other, now: at(9_000)) == .rest)
    }

    @Test func `an address more is no loss`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        _ = watch.look(home.union(other), now: at(1_000))
        #expect(watch.look(home.union(other), now: at(1_300)) == .changed(AddressChange(hasLostAddress: false)))
    }

    @Test func `steps of one change are one change`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        #expect(watch.look([], now: at(1_000)) == .look(at: at(1_250)))
        #expect(watch.look(other, now: at(1_100)) == .look(at: at(1_350)))
        #expect(watch.look(other.union(["2001:db8::1"]), now: at(1_200)) == .look(at: at(1_450)))
        #expect(
            watch.look(other.union(["2001:db8::1"]), now: at(1_450))
                == .changed(AddressChange(hasLostAddress: true)))
    }

    @Test func `that no address is left is told once`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        #expect(watch.look([], now: at(1_000)) == .look(at: at(1_250)))
        #expect(watch.look([], now: at(1_250)) == .lost)
        #expect(watch.look([], now: at(5_000)) == .rest)
    }

    @Test func `a machine that begins without an address has lost none`() {
        var watch = AddressWatch(addresses: [], now: at(0))
        #expect(watch.look([], now: at(1_000)) == .rest)
    }

    @Test func `after a time without an address the next one is told once it stays`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        _ = watch.look([], now: at(1_000))
        _ = watch.look([], now: at(1_300))
        #expect(watch.look(other, now: at(9_000)) == .look(at: at(9_250)))
        #expect(watch.look(other, now: at(9_250)) == .changed(AddressChange(hasLostAddress: true)))
    }

    @Test func `the same address after a time without is news but no loss`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        _ = watch.look([], now: at(1_000))
        _ = watch.look([], now: at(1_300))
        _ = watch.look(home, now: at(5_000))
        #expect(watch.look(home, now: at(5_250)) == .changed(AddressChange(hasLostAddress: false)))
        #expect(watch.look(home, now: at(6_000)) == .rest)
    }

    @Test func `a flicker that is over at once is not told`() {
        var watch = AddressWatch(addresses: home, now: at(0))
        _ = watch.look(other, now: at(1_000))
        #expect(watch.look(home, now: at(1_100)) == .rest)
    }
}
