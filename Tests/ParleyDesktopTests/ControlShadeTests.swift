import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ControlShadeTests {
    private let start = Instant(sinceStart: .seconds(100))

    /// One over a picture that came at the start.
    private var overPicture: ControlShade {
        var shade = ControlShade(at: start)
        shade.setPicture(true, at: start)
        return shade
    }

    @Test func `the controls go three seconds after the last movement, not before`() {
        var shade = overPicture
        shade.noteActivity(at: start + .seconds(2))
        #expect(shade.due == start + .seconds(5))
        shade.look(at: start + .milliseconds(4_999), isKept: false)
        #expect(!shade.isDrawn)
        shade.look(at: start + .seconds(5), isKept: false)
        #expect(shade.isDrawn)
        #expect(shade.due == nil)
    }

    @Test func `they come back with the next movement, for another three seconds`() {
        var shade = overPicture
        shade.look(at: start + .seconds(3), isKept: false)
        shade.noteActivity(at: start + .seconds(60))
        #expect(!shade.isDrawn)
        #expect(shade.due == start + .seconds(63))
    }

    @Test func `without a picture they never go`() {
        var shade = ControlShade(at: start)
        #expect(shade.due == nil)
        shade.look(at: start + .seconds(3_600), isKept: false)
        #expect(!shade.isDrawn)
    }

    @Test func `a picture that goes brings them back, and one that comes gives them their time`() {
        var shade = overPicture
        shade.look(at: start + .seconds(3), isKept: false)
        shade.setPicture(false, at: start + .seconds(4))
        #expect(!shade.isDrawn && shade.due == nil)
        shade.setPicture(true, at: start + .seconds(9))
        #expect(shade.due == start + .seconds(12))
    }

    @Test func `the same picture again changes nothing`() {
        var shade = overPicture
        shade.look(at: start + .seconds(3), isKept: false)
        shade.setPicture(true, at: start + .seconds(4))
        #expect(shade.isDrawn)
    }

    @Test func `as long as somebody is at one of them they stay, and go three seconds later`() {
        var shade = overPicture
        shade.look(at: start + .seconds(3), isKept: true)
        #expect(!shade.isDrawn)
        #expect(shade.due == start + .seconds(6))
        shade.look(at: start + .seconds(6), isKept: false)
        #expect(shade.isDrawn)
    }
}
