import TestSupport
import Testing

@testable import DesktopApplication

/// Links from outside, of which the person is asked about one at a time.
@Suite(.timeLimit(.minutes(5))) struct LinkQueueTests {
    @Test func `links are asked about in order, one at a time`() {
        var queue = LinkQueue()
        #expect(queue.begin() == nil)
        #expect(queue.add(["one", " two\n"]) == 0)
        #expect(queue.begin() == "one")
        #expect(queue.begin() == nil)
        queue.end()
        #expect(queue.begin() == "two")
    }

    @Test func `a link that waits or is asked about is not taken twice`() {
        var queue = LinkQueue()
        _ = queue.add(["one", "two", "two"])
        _ = queue.begin()
        #expect(queue.add(["one", "two"]) == 0)
        #expect(queue.all == ["one", "two"])
        queue.end()
        _ = queue.begin()
        queue.end()
        #expect(queue.begin() == nil)
    }

    @Test func `a link that could not be asked about is the next again`() {
        var queue = LinkQueue()
        _ = queue.add(["one", "two"])
        _ = queue.begin()
        queue.putBack()
        #expect(queue.all == ["one", "two"])
        #expect(queue.begin() == "one")
    }

    @Test func `only so many wait, and none that is too long`() {
        var queue = LinkQueue()
        let links = (0..<20).map { "link \($0)" }
        #expect(queue.add(links) == 20 - LinkQueue.maximumCount)
        #expect(queue.all == Array(links.prefix(LinkQueue.maximumCount)))
        var other = LinkQueue()
        #expect(other.add([String(repeating: "a", count: LinkQueue.maximumBytes + 1)]) == 0)
        #expect(other.begin() == "")
    }

    @Test func `whatever happens, none is asked about twice at once and none is lost`() {
        var random = SeededGenerator(seed: 7)
        var queue = LinkQueue()
        var (taken, decided, current): (Set<String>, Set<String>, String?) = ([], [], nil)
        for number in 0..<5_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let link = "link \(number)"
                if queue.add([link]) == 0 { taken.insert(link) }
            case 1:
                let next = queue.begin()
                #expect(current == nil || next == nil)
                current = current ?? next
            case 2 where current != nil:
                queue.end()
                if let current { decided.insert(current) }
                current = nil
            default:
                queue.putBack()
                current = nil
            }
            #expect(Set(queue.all).union(decided) == taken)
        }
    }
}
