import BaseKit
import Foundation
import NetworkEmulation

/// One call of several, each in a process of its own, measured.
struct GroupRun: Sendable {
    /// How long the call is let be before it is measured, how long its cost is measured, and how long each bad link lasts.
    struct Times: Sendable {
        var settling = 12.0
        var cost = 10.0
        var link = 12.0
    }

    /// The film that is everybody's camera.
    var film: String
    /// The rows in which everybody is shown.
    var rows: Int
    var times: Times
    /// Whether the last one is on the other side of an emulated link, which becomes worse.
    var hasLink: Bool
    /// The program of a Janus that media go over; without one they go directly.
    var janus: String?
    /// Whether calls over it of as many as can do without go to direct ways and back.
    var handsOver = false

    /// The most that do without a server, and how many pieces of sound have to come by a new way of everybody before the old one goes.
    static let mostDirectly = 4, enough = 50

    /// The links that the last one is behind: the first aim is pictures a second, the second how long they stand still.
    static let lossy = LinkCondition(delay: 20, loss: 0.05)
    static let narrow = LinkCondition(delay: 20, rate: 400_000)

    /// Makes such a call and measures it. `viewers`: how many see and hear the others, the last ones; the rest only send to a Janus.
    /// Throws ``BenchError``.
    func measure(people: Int, viewers: Int) async throws -> GroupFigures {
        let emulator = hasLink ? try NetworkEmulator(LinkCondition(delay: 20)) : nil
        defer { emulator?.stop() }
        var server: MeasuredJanus?
        if let janus { server = try await MeasuredJanus.start(janus, in: emulator?.first) }
        defer { server?.stop() }
        let company = GroupCompany(room: server?.room(), firstViewer: people - viewers + 1)
        defer { company.stop() }
        for number in 1...people {
            let side = number == people ? emulator?.second : emulator?.first
            try company.start(UInt8(number), film: film, rows: rows, in: side?.prefix ?? [])
        }
        let ends = company.ends
        for end in ends { try await end.ready() }
        // What a program does at its start is over.
        try await Task.sleep(for: .seconds(2))
        try await company.makeRoom()
        for number in 1..<people { try await company.join(ends[number - 1], ends[..<(number - 1)]) }
        if people > 2 { try await Task.sleep(for: .seconds(times.settling)) }
        var figures = GroupFigures(people: people, viewers: viewers)
        figures.joining = try await company.join(ends[people - 1], ends[..<(people - 1)])
        try await Task.sleep(for: .seconds(times.settling))
        try await cost(ends.suffix(viewers), server, into: &figures)
        if handsOver, let room = server?.room(), people == viewers, people <= Self.mostDirectly {
            try await handOver(company, room, into: &figures)
        }
        guard let emulator, let last = ends.last else { return figures }
        emulator.change(to: Self.lossy)
        figures.lossyPictures = try await pictures(between: last, ends.dropLast()).rate
        emulator.change(to: LinkCondition(delay: 20))
        try await Task.sleep(for: .seconds(times.settling))
        _ = try await pictures(between: last, ends.dropLast(), for: 0.1)
        emulator.change(to: Self.narrow)
        figures.narrowGap = try await pictures(between: last, ends.dropLast()).gap
        return figures
    }

    /// Has a call over a room go to direct ways, and to another room. What carried before goes when what follows brings everybody.
    private func handOver(_ company: GroupCompany, _ room: MeasuredRoom, into figures: inout GroupFigures) async throws
    {
        let ends = company.ends
        func gaps(until isOver: ([MemberCounts]) -> Bool) async throws -> (pictures: Int, sound: Int) {
            var gaps = (pictures: 0, sound: 0)
            let limit = Instant.now + .seconds(60)
            while Instant.now < limit {
                var all: [MemberCounts] = []
                for end in ends { all += try await end.counts() }
                gaps = (max(gaps.pictures, all.map(\.gap).max() ?? 0), max(gaps.sound, all.map(\.soundGap).max() ?? 0))
                if isOver(all) { return gaps }
                try await Task.sleep(for: .milliseconds(250))
            }
            throw BenchError.call("somebody did not come by the other way")
        }
        func goOver(to count: KeyPath<MemberCounts, Int>, then leave: () -> Void) async throws -> (Int, Int) {
            let before = try await gaps { $0.allSatisfy { $0[keyPath: count] >= Self.enough } }
            leave()
            let end = Instant.now + .seconds(times.settling)
            let after = try await gaps { _ in Instant.now >= end }
            return (max(before.pictures, after.pictures), max(before.sound, after.sound))
        }
        // What was before is not told.
        _ = try await gaps { _ in true }
        for (index, end) in ends.enumerated() { for other in ends[..<index] { end.tell(.makeOffer(to: other.member)) } }
        (figures.toMeshGap, figures.toMeshSoundGap) = try await goOver(to: \.direct) {
            for end in ends { end.tell(.leaveRoom) }
        }
        ends.first?.tell(.makeRoom(room))
        try await ends.first?.ready()
        _ = try await gaps { _ in true }
        for end in ends { end.tell(.enter(room)) }
        (figures.toRoomGap, figures.toRoomSoundGap) = try await goOver(to: \.byRoom) {
            for end in ends { end.tell(.closePaths(ends.map(\.member).filter { $0 != end.member })) }
        }
    }

    private func cost(
        _ ends: ArraySlice<GroupEnd>, _ server: MeasuredJanus?, into figures: inout GroupFigures
    ) async throws {
        let serverBefore = server.map { Spending(of: $0.process) }
        var before: [Sample] = []
        for end in ends { before.append(try await Sample(of: end)) }
        try await Task.sleep(for: .seconds(times.cost))
        let serverAfter = server.map { Spending(of: $0.process) }
        var after: [Sample] = []
        for end in ends { after.append(try await Sample(of: end)) }
        if let serverBefore, let serverAfter { figures.janusProcessor = serverAfter.rate(since: serverBefore) }
        let count = Double(ends.count)
        let spent = zip(after, before).map { $0.spending.rate(since: $1.spending) }
        figures.processor = spent.reduce(0, +) / count
        figures.memory =
            after.map { Double($0.spending.tree.proportionalBytes) }.reduce(0, +) / count / 1_048_576
        figures.threads = Double(ends.map { Self.threads(of: $0.process) }.reduce(0, +)) / count
        let pairs = zip(after, before).flatMap { after, before in
            let seconds = (after.time - before.time).inSeconds
            return zip(after.counts, before.counts).map { (now: $0, then: $1, seconds: seconds) }
        }
        figures.pictures = pairs.map { Double($0.now.pictures - $0.then.pictures) / $0.seconds }.min() ?? 0
        figures.height = pairs.map(\.now.height).min() ?? 0
        let bytes = pairs.map { Double($0.now.bytes - $0.then.bytes) / $0.seconds }
        figures.rate = bytes.reduce(0, +) * 8 / 1_000 / count
        figures.refused = pairs.map(\.now.refused).reduce(0, +)
        guard pairs.allSatisfy({ $0.now.sound > $0.then.sound }) else {
            throw BenchError.call("somebody was not heard")
        }
    }

    /// What is shown between one and the others while the link stays as it is: the fewest pictures a second of any, and the longest time
    /// that any stood still.
    private func pictures(
        between one: GroupEnd, _ others: ArraySlice<GroupEnd>, for time: Double? = nil
    ) async throws -> (rate: Double, gap: Int) {
        func counts() async throws -> [MemberCounts] {
            var all = try await one.counts()
            for other in others { all += try await other.counts().filter { $0.member == one.member } }
            return all
        }
        let (before, start) = (try await counts(), Instant.now)
        try await Task.sleep(for: .seconds(time ?? times.link))
        let (after, seconds) = (try await counts(), (Instant.now - start).inSeconds)
        let rates = zip(after, before).map { Double($0.pictures - $1.pictures) / seconds }
        return (rates.min() ?? 0, after.map(\.gap).max() ?? 0)
    }

    /// The threads of a process and all that come from it.
    private static func threads(of root: Int32) -> Int {
        ProcessTree.family(of: root).reduce(0) { sum, process in
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            return sum + (names?.count ?? 0)
        }
    }
}

/// What a process and all that come from it have taken up to a moment.
private struct Spending {
    let tree: ProcessTree
    private let time: Instant

    init(of process: Int32) { (tree, time) = (ProcessTree.read(root: process), .now) }

    /// Processor seconds a second.
    func rate(since earlier: Spending) -> Double {
        (tree.processorSeconds - earlier.tree.processorSeconds) / (time - earlier.time).inSeconds
    }
}

/// What came of the others to one member up to a moment, and what that took. Where processors are scarce it takes a while to ask all
/// members, so each has its own moment.
private struct Sample {
    let counts: [MemberCounts]
    let time: Instant
    let spending: Spending

    init(of end: GroupEnd) async throws {
        (counts, time) = (try await end.counts(), .now)
        spending = Spending(of: end.process)
    }
}

/// The members of a measured call, who hear of each other through this process.
private final class GroupCompany: Sendable {
    private let members = Lock<[UInt8: GroupEnd]>([:])
    private let room: MeasuredRoom?
    private let firstViewer: Int

    /// `room`: what media go over, if not directly; `firstViewer`: from which on members see and hear the others.
    init(room: MeasuredRoom?, firstViewer: Int) { (self.room, self.firstViewer) = (room, firstViewer) }

    var ends: [GroupEnd] { members.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    func start(_ member: UInt8, film: String, rows: Int, in prefix: [String]) throws {
        let end = try GroupEnd(member, film: film, rows: rows, in: prefix) { [weak self] order, other in
            self?.members.withLock { $0[other] }?.tell(order)
        }
        members.withLock { $0[member] = end }
    }

    /// Has the first one make the room, if media go over one.
    func makeRoom() async throws {
        guard let room, let first = ends.first else { return }
        first.tell(.makeRoom(room))
        try await first.ready()
    }

    private func isViewer(_ end: GroupEnd) -> Bool { Int(end.member) >= firstViewer }

    /// Lets one join others; gives the milliseconds until it shows all of them, 0 if it shows nobody.
    @discardableResult
    func join(_ one: GroupEnd, _ others: ArraySlice<GroupEnd>) async throws -> Double {
        let seeing = others.filter(isViewer)
        one.tell(.join)
        if isViewer(one) { one.tell(.meet(others.map(\.member))) }
        for other in seeing { other.tell(.meet([one.member])) }
        // Who only sends wants nobody's large pictures.
        for other in others where !isViewer(other) { one.tell(.large(false, from: other.member)) }
        if !isViewer(one) { for other in others { other.tell(.large(false, from: one.member)) } }
        if let room {
            one.tell(.enter(room))
        } else {
            for other in others { one.tell(.makeOffer(to: other.member)) }
        }
        guard isViewer(one), !others.isEmpty else { return 0 }
        let time = try await one.complete()
        for other in seeing { _ = try await other.complete() }
        return time
    }

    func stop() { for end in ends { end.stop() } }
}
