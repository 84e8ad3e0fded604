import FakePortal
import Portal
import Synchronization
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5)), .needs(MockedLogind.obstacle)) struct SleepWatchTests {
    private let home: PrivateBus
    private let logind: MockedLogind
    private let watch: SleepWatch

    init() async throws {
        home = try await PrivateBus()
        logind = try await MockedLogind(on: home)
        watch = Self.watch { [home] in home.address }
    }

    private static func watch(_ address: @escaping @Sendable () -> String) -> SleepWatch {
        SleepWatch(application: "Parley", reason: "Ending the call") { () async throws(PortalError) in
            try await Bus.connect(address: address())
        }
    }

    @Test func `sleep is delayed, never forbidden`() async throws {
        try await watch.start()
        #expect(try await logind.locks() == [["sleep", "Parley", "Ending the call", "delay"]])
    }

    @Test func `the machine sleeps as soon as what is to be done before is done`() async throws {
        try await watch.start()
        try await logind.prepareForSleep(true)
        var news = watch.news.makeAsyncIterator()
        do {
            guard case .begins(let delay) = await news.next() else { return #expect(Bool(false), "no sleep") }
            #expect(try await logind.locks().count == 1)
            withExtendedLifetime(delay) {}
        }
        try await waitUntil("sleep") { try await logind.locks().isEmpty }
    }

    @Test func `the next sleep is delayed, too`() async throws {
        try await watch.start()
        var news = watch.news.makeAsyncIterator()
        for _ in 0..<2 {
            try await logind.prepareForSleep(true)
            guard case .begins = await news.next() else { return #expect(Bool(false), "no sleep") }
            try await waitUntil("sleep") { try await logind.locks().isEmpty }
            try await logind.prepareForSleep(false)
            guard case .over = await news.next() else { return #expect(Bool(false), "no end of it") }
            #expect(try await logind.locks().count == 1)
        }
    }

    @Test func `what others say of sleep means nothing`() async throws {
        try await watch.start()
        let stranger = try await Bus.connect(address: home.address)
        try stranger.emit(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", name: "PrepareForSleep",
            [.bool(true)])
        // Signals of one connection come in order, those of two may not: the stranger's has come when its answer has.
        _ = try await stranger.owner(of: "org.freedesktop.login1")
        try await logind.prepareForSleep(false)
        var news = watch.news.makeAsyncIterator()
        guard case .over = await news.next() else { return #expect(Bool(false), "a stranger was believed") }
    }

    @Test func `a machine without logind is no trouble`() async throws {
        let empty = try await PrivateBus()
        let watch = Self.watch { empty.address }
        try await watch.start()
    }

    @Test func `a logind that comes later, or again, is asked to wait, too`() async throws {
        let later = try await PrivateBus()
        let watch = Self.watch { later.address }
        try await watch.start()
        for _ in 0..<2 {
            let logind = try await MockedLogind(on: later)
            try await waitUntil("the lock") { try await logind.locks().count == 1 }
            try await logind.end()
        }
        withExtendedLifetime(watch) {}
    }

    @Test func `a bus that goes is found again, and sleep is heard of there`() async throws {
        let address = Mutex(home.address)
        let watch = Self.watch { address.withLock { $0 } }
        try await watch.start()
        let next = try await PrivateBus()
        let logind = try await MockedLogind(on: next)
        address.withLock { $0 = next.address }
        home.end()
        var news = watch.news.makeAsyncIterator()
        guard case .over = await news.next() else { return #expect(Bool(false), "nobody was told") }
        #expect(try await logind.locks().count == 1)
        try await logind.prepareForSleep(true)
        guard case .begins = await news.next() else { return #expect(Bool(false), "no sleep") }
    }
}
