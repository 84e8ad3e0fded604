import Testing

/// Short messages in the windows of the real program, with a pretended account behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeMessagesDesktopTests: DesktopSuite {
    @Test func `messages are read and answered`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.see("2 unread messages")
        parley.screenshot("unread-messages")
        try parley.choose("Messages", from: "Menu for Sven Shares")
        try parley.see("Sven Shares: Voice message (0:12)")
        try parley.see("Yesterday")
        try parley.see("Today")
        parley.screenshot("messages")
        #expect(parley.accessible.namelessButtons == [])
        try parley.type("See you then", into: "Message")
        try parley.press("Send")
        try parley.see("You: See you then")
        try parley.see("Delivered")
        parley.screenshot("messages-answered")
        try parley.choose("Delete All Messages", from: "Menu for messages with Sven Shares")
        try parley.see("Delete all messages with Sven Shares?")
        try parley.press("Delete")
        try parley.see("No messages yet")
        parley.screenshot("messages-none")
    }

    @Test func `the person in the call is written to`() throws {
        let parley = try fake()
        try parley.press("Video call with Sven Shares")
        try parley.seeUsable("Write a message")
        parley.screenshot("write-in-call")
        try parley.press("Write a message")
        try parley.see("Sven Shares: Voice message (0:12)")
    }
}
