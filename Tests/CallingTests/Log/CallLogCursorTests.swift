import Signaling
import TestSupport
import Testing

@testable import Calling

/// Paging through the log, against a list that is looked through from one end to the other.
@Suite(.timeLimit(.minutes(5))) struct CallLogCursorTests {
    /// A log with its index, which is filled in batches as an account does it.
    private struct World {
        var calls: [(number: Int64, key: CallRecordKey)] = []
        var index = CallLogIndex()
        var next: Int64 = 1

        /// Newest first.
        func naive(_ filter: CallLogFilter, _ text: CallLogText?) -> [Int64] {
            calls.reversed().filter {
                filter.matches($0.key) && text?.matches($0.key.contacts, called: $0.key.name) ?? true
            }.map(\.number)
        }

        mutating func end(_ key: CallRecordKey, isKnown: Bool = true, gap: Int64 = 1) {
            next += gap
            calls.append((next, key))
            if isKnown { index.append(next, key) }
        }

        mutating func delete(_ numbers: Set<Int64>) {
            calls.removeAll { numbers.contains($0.number) }
            index.remove(numbers)
        }

        mutating func fill(_ count: Int) {
            let batch = calls.reversed().filter { $0.number < index.oldest }.prefix(count)
            index.add(older: batch.map { ($0.number, $0.key) }, isLast: batch.count < count)
        }

        mutating func page(_ cursor: inout CallLogCursor, _ limit: Int, batch: Int = 3) -> [Int64] {
            while true {
                if case .page(let numbers) = cursor.next(limit, in: index) { return numbers }
                fill(batch)
            }
        }

        mutating func all(_ cursor: inout CallLogCursor, _ limit: Int) -> [[Int64]] {
            var pages: [[Int64]] = []
            while cursor.hasNext { pages.append(page(&cursor, limit)) }
            return pages
        }
    }

    private static func key(_ generator: inout SeededGenerator) -> CallRecordKey {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        return CallRecordKey(
            .sample(
                pick(["ann", "bo", "cy"]), name: pick(["Ann", "Änne", "Bo", "Cy"]), pick([.outgoing, .incoming]),
                pick(CallMedia.allCases), at: .random(in: 0...100, using: &generator), pick(CallResult.allCases)))
    }

    private static func filter(_ generator: inout SeededGenerator) -> CallLogFilter {
        func sometimes<Value>(_ value: Value) -> Value? { Int.random(in: 0..<3, using: &generator) == 0 ? value : nil }
        var filter = CallLogFilter()
        filter.contacts = sometimes([ContactID(rawValue: "ann"), ContactID(rawValue: "cy")])
        filter.direction = sometimes(.incoming)
        filter.results = sometimes(Set(CallResult.allCases.prefix(Int.random(in: 1...11, using: &generator))))
        filter.media = sometimes(.video)
        filter.since = sometimes(Int64.random(in: 0...60, using: &generator))
        filter.until = sometimes(Int64.random(in: 40...100, using: &generator))
        filter.onlyMissed = Int.random(in: 0..<4, using: &generator) == 0
        return filter
    }

    private static func text(_ generator: inout SeededGenerator) -> CallLogText? {
        guard Bool.random(using: &generator) else { return nil }
        return CallLogText("AN", names: [ContactID(rawValue: "cy"): "Hanna"])
    }

    @Test(arguments: 0..<300) func `pages are those of a list while nothing changes`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var world = World()
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            world.end(Self.key(&generator), isKnown: false, gap: .random(in: 1...4, using: &generator))
        }
        let (filter, text) = (Self.filter(&generator), Self.text(&generator))
        let limit = Int.random(in: 1...9, using: &generator)
        var cursor = CallLogCursor(filter, text: text)
        let pages = world.all(&cursor, limit)
        let wanted = world.naive(filter, text)
        #expect(pages.flatMap(\.self) == wanted)
        // Full pages but for the last, and no empty one behind it.
        #expect(pages.dropLast().allSatisfy { $0.count == limit })
        #expect(pages.last?.isEmpty != true || wanted.isEmpty)
    }

    @Test(arguments: 0..<400) func `nothing is given twice or left out while calls come and go`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 7_000)
        var world = World()
        for _ in 0..<Int.random(in: 5...80, using: &generator) { world.end(Self.key(&generator), isKnown: false) }
        let (filter, text) = (Self.filter(&generator), Self.text(&generator))
        let atFirst = Set(world.naive(filter, text))
        var (cursor, given): (CallLogCursor, [Int64]) = (CallLogCursor(filter, text: text), [])
        while cursor.hasNext {
            let limit = Int.random(in: 1...6, using: &generator)
            let batch = Int.random(in: 1...9, using: &generator)
            while true {
                if Int.random(in: 0..<3, using: &generator) == 0 { world.end(Self.key(&generator)) }
                if Int.random(in: 0..<3, using: &generator) == 0,
                    let victim = world.calls.randomElement(using: &generator)
                {
                    world.delete([victim.number])
                }
                if Int.random(in: 0..<60, using: &generator) == 0 {
                    let end = Int64.random(in: 0...10, using: &generator)
                    world.calls.removeAll { $0.number <= end }
                    world.index.remove(upTo: end)
                }
                if case .page(let numbers) = cursor.next(limit, in: world.index) {
                    // Those deleted in between are passed over when they are read.
                    given += numbers.filter { number in world.calls.contains { $0.number == number } }
                    break
                }
                world.fill(batch)
            }
        }
        #expect(given == given.sorted(by: >) && Set(given).count == given.count)
        let stayed = atFirst.intersection(world.calls.map(\.number))
        #expect(stayed.isSubset(of: given))
        #expect(world.index.isComplete == false || world.index.count == world.calls.count)
    }

    @Test func `a page needs no more of the log than it shows`() {
        var world = World()
        for _ in 0..<100 { world.end(CallRecordKey(.sample()), isKnown: false) }
        var cursor = CallLogCursor()
        #expect(world.page(&cursor, 5, batch: 10).count == 5)
        #expect(world.index.count == 10 && cursor.hasNext)
    }

    @Test func `a cursor goes on behind a number`() {
        var world = World()
        for _ in 0..<10 { world.end(CallRecordKey(.sample()), isKnown: false) }
        var first = CallLogCursor()
        let page = world.page(&first, 4)
        var second = CallLogCursor(before: first.last ?? 0)
        #expect(page + world.page(&second, 6) == world.naive(CallLogFilter(), nil))
    }

    @Test func `a call that ended while the log was read is there once`() {
        var world = World()
        world.end(CallRecordKey(.sample()), isKnown: false)
        world.end(CallRecordKey(.sample()))
        world.fill(10)
        #expect(world.index.count == 2)
        // The other way round: read first, told later.
        world.end(CallRecordKey(.sample()), isKnown: false)
        var late = CallLogIndex()
        late.add(older: world.calls.reversed().map { ($0.number, $0.key) }, isLast: true)
        late.append(world.next, CallRecordKey(.sample()))
        #expect(late.count == 3)
    }

    @Test func `what was deleted while it was read does not come back`() {
        var world = World()
        for _ in 0..<4 { world.end(CallRecordKey(.sample()), isKnown: false) }
        let read = world.calls
        world.delete([read[1].number])
        world.index.add(older: read.reversed().map { ($0.number, $0.key) }, isLast: true)
        #expect(world.index.count == 3)
    }

    @Test func `what can't be read is passed over`() {
        var index = CallLogIndex()
        let key = CallRecordKey(.sample())
        index.add(older: [(3, key), (2, nil), (1, key)], isLast: true)
        var cursor = CallLogCursor()
        #expect(cursor.next(5, in: index) == .page([3, 1]))
        #expect(index.oldest == 1)
    }

    @Test func `an entry takes 24 bytes`() { #expect(MemoryLayout<CallLogIndex.Entry>.stride == 24) }

    @Test func `a call that was deleted before it was added stays away`() {
        var index = CallLogIndex()
        index.remove(upTo: 5)
        let key = CallRecordKey(.sample())
        #expect(!index.append(5, key) && index.append(6, key) && index.count == 1)
    }

    @Test func `names go with the last call`() {
        var index = CallLogIndex()
        index.append(1, CallRecordKey(.sample()))
        #expect(index.parties.count == 1)
        var cursor = CallLogCursor(text: CallLogText("ann", names: [:]))
        #expect(cursor.next(1, in: index) == .needsOlder)
        index.remove(upTo: 1)
        #expect(index.parties.isEmpty)
        index.append(2, CallRecordKey(.sample("bo", name: "Bo")))
        index.add(older: [], isLast: true)
        var second = CallLogCursor(text: CallLogText("ann", names: [:]))
        #expect(second.next(1, in: index) == .page([]))
    }

    @Test func `old calls are found by their time`() {
        var index = CallLogIndex()
        for (number, time) in [(Int64(1), Int64(10)), (2, 30), (3, 20)] {
            index.append(number, CallRecordKey(.sample(at: time)))
        }
        #expect(Set(index.numbers(before: 25)) == [1, 3])
    }
}

/// Which calls are meant.
@Suite(.timeLimit(.minutes(5))) struct CallLogFilterTests {
    private func matches(_ record: CallRecord, _ change: (inout CallLogFilter) -> Void) -> Bool {
        var filter = CallLogFilter()
        change(&filter)
        return filter.matches(CallRecordKey(record))
    }

    @Test func `without conditions every call is meant`() { #expect(matches(.sample()) { _ in }) }

    @Test func `each condition holds for itself`() {
        let record = CallRecord.sample("ann", .incoming, .video, at: 50, .noAnswer)
        #expect(matches(record) { $0.contacts = [ContactID(rawValue: "ann")] })
        #expect(!matches(record) { $0.contacts = [ContactID(rawValue: "bo")] })
        #expect(!matches(record) { $0.contacts = [] })
        #expect(matches(record) { $0.direction = .incoming } && !matches(record) { $0.direction = .outgoing })
        #expect(matches(record) { $0.results = [.noAnswer] } && !matches(record) { $0.results = [.busy] })
        #expect(matches(record) { $0.media = .video } && !matches(record) { $0.media = .audio })
        #expect(matches(record) { $0.onlyMissed = true })
        #expect(!matches(.sample("ann", .outgoing, .video, at: 50, .noAnswer)) { $0.onlyMissed = true })
    }

    @Test func `a call of several is meant with each contact who was in it`() {
        var record = CallRecord.sample("ann", name: "Ann, Bo, Cy")
        record.members = [.of("Ann", "ann"), .of("Bo", "bo"), .of("Cy")]
        for contact in ["ann", "bo"] {
            #expect(matches(record) { $0.contacts = [ContactID(rawValue: contact)] }, "\(contact)")
        }
        #expect(!matches(record) { $0.contacts = [ContactID(rawValue: "cy")] })
        var index = CallLogIndex()
        index.append(1, CallRecordKey(record))
        index.add(older: [], isLast: true)
        var filter = CallLogFilter()
        filter.contacts = [ContactID(rawValue: "bo")]
        var cursor = CallLogCursor(filter)
        #expect(cursor.next(5, in: index) == .page([1]))
    }

    @Test func `a time range holds its beginning and not its end`() {
        let record = CallRecord.sample(at: 50)
        #expect(matches(record) { $0.since = 50 } && !matches(record) { $0.since = 51 })
        #expect(matches(record) { $0.until = 51 } && !matches(record) { $0.until = 50 })
    }

    @Test func `a text is found in names of then and now, whatever case and accents`() throws {
        let (ann, bo) = (ContactID(rawValue: "ann"), ContactID(rawValue: "bo"))
        let text = try #require(CallLogText("  zoe ", names: [bo: "ZOÉ K."]))
        #expect(text.matches([ann], called: "Zoë Smith"))
        #expect(!text.matches([ann], called: "Ann"))
        #expect(text.matches([bo], called: "Bo"))
        #expect(text.matches([ann, bo], called: "Ann, Bo"))
        #expect(CallLogText("  ", names: [:]) == nil)
    }
}
