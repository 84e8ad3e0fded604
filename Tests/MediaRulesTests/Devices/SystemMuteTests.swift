import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct SystemMuteTests {
    private static let desk = MediaDevice(id: "desk", name: "Desk")
    private static let travel = MediaDevice(id: "travel", name: "Travel")

    /// One that looks after a device, and under which number.
    private func watching() throws -> (SystemMute, Int) {
        var mute = SystemMute()
        let change = mute.use(Self.desk)
        return (mute, try #require(change?.number))
    }

    @Test func `what is new is told once`() throws {
        var (mute, number) = try watching()
        #expect(mute.learn(false, of: number) == nil)
        #expect(mute.learn(true, of: number) == true)
        #expect(mute.learn(true, of: number) == nil)
        #expect(mute.isMuted)
        #expect(mute.learn(false, of: number) == false)
    }

    @Test func `another microphone is not muted before it is said to be`() throws {
        var (mute, number) = try watching()
        _ = mute.learn(true, of: number)
        let change = mute.use(Self.travel)
        let next = try #require(change?.number)
        #expect(change?.news == false && next != number)
        #expect(mute.learn(true, of: number) == nil)
        #expect(mute.learn(true, of: next) == true)
    }

    @Test func `the same microphone is looked after on`() throws {
        var (mute, number) = try watching()
        #expect(mute.use(Self.desk) == nil)
        #expect(mute.learn(true, of: number) == true)
    }

    @Test func `without a microphone nothing is muted`() throws {
        var (mute, number) = try watching()
        _ = mute.learn(true, of: number)
        #expect(mute.use(nil) == SystemMute.Change(number: nil, news: false))
        #expect(mute.learn(true, of: number) == nil)
        #expect(mute.use(nil) == nil)
    }
}
