import Testing

@testable import Notifications
@testable import Portal

@Suite(.timeLimit(.minutes(1))) struct DesktopNotificationTests {
    private static let sender = NotificationSender(name: "Parley", desktopEntry: "im.parley.Parley")
    private static let notification = DesktopNotification(
        summary: "Tom & <Jerry>", body: "a < b & \"c\"", actions: [.init(key: "accept", label: "Accept")],
        urgency: .critical, category: "call.incoming")

    private func arguments(_ capabilities: Set<String>, replacing id: UInt32? = nil) -> [BusValue] {
        Self.notification.arguments(
            from: Self.sender, replacing: id, for: NotificationFeatures(capabilities: capabilities))
    }

    @Test func `a server gets who sends it, what it is about, and that it stays and is silent`() {
        let arguments = arguments(["actions", "body"], replacing: 3)
        #expect(arguments.count == 8)
        #expect(arguments[0] == .string("Parley"))
        #expect(arguments[1] == .uint32(3))
        #expect(arguments[2] == .string("im.parley.Parley"))
        #expect(arguments[7] == .int32(0))
        #expect(
            arguments[6].entries == [
                "urgency": .byte(2), "category": .string("call.incoming"),
                "desktop-entry": .string("im.parley.Parley"), "suppress-sound": .bool(true),
            ])
    }

    @Test func `a picture goes along as pixels`() throws {
        var notification = Self.notification
        notification.picture = NotificationPicture(width: 2, height: 1, pixels: [1, 2, 3, 255, 5, 6, 7, 128])
        let hints = try #require(
            notification.arguments(from: Self.sender, replacing: nil, for: NotificationFeatures())[6].entries)
        #expect(
            hints["image-data"]
                == .tuple([
                    .int32(2), .int32(1), .int32(8), .bool(true), .int32(8), .int32(4),
                    .bytes([1, 2, 3, 255, 5, 6, 7, 128]),
                ]))
    }

    @Test(arguments: [(2, 1, 7), (2, 1, 9), (0, 1, 0), (1_025, 1, 4_100), (-1, -1, 4), (1, 1_025, 4_100)])
    func `pixels that are not those of the size make no picture`(_ width: Int, _ height: Int, _ count: Int) {
        let pixels = [UInt8](repeating: 0, count: count)
        #expect(NotificationPicture(width: width, height: height, pixels: pixels) == nil)
    }

    @Test func `a server without buttons gets none`() {
        #expect(arguments(["actions"])[5] == .array([.string("accept"), .string("Accept")], of: "s"))
        #expect(arguments(["body"])[5] == .array([], of: "s"))
    }

    @Test func `a server that reads markup gets the text escaped`() {
        #expect(arguments(["body"])[4] == .string("a < b & \"c\""))
        #expect(arguments(["body", "body-markup"])[4] == .string("a &lt; b &amp; &quot;c&quot;"))
        // Never markup (Desktop Notifications Specification 1.3).
        #expect(arguments(["body", "body-markup"])[3] == .string("Tom & <Jerry>"))
    }

    @Test func `a server of one line gets one line`() { #expect(arguments(["body-markup"])[4] == .string("")) }

    @Test(arguments: [
        (BusSignal(":1.2", "NotificationClosed", [.uint32(7), .uint32(2)]), NotificationEvent.closed(7, .dismissed)),
        (BusSignal(":1.2", "NotificationClosed", [.uint32(7), .uint32(99)]), .closed(7, .unknown)),
        (BusSignal(":1.2", "ActionInvoked", [.uint32(7), .string("accept")]), .pressed(7, key: "accept")),
        (
            BusSignal(":1.2", "ActivationToken", [.uint32(7), .string("gnome-shell/1_TIME2")]),
            .token(7, "gnome-shell/1_TIME2")
        ),
    ])
    func `signals of servers are read`(_ signal: BusSignal, _ event: NotificationEvent) {
        #expect(NotificationEvent(signal) == event)
    }

    @Test(arguments: [
        BusSignal(":1.2", "NotificationClosed", []), BusSignal(":1.2", "NotificationClosed", [.uint32(7)]),
        BusSignal(":1.2", "NotificationClosed", [.string("7"), .uint32(2)]),
        BusSignal(":1.2", "NotificationClosed", [.uint32(0), .uint32(2)]),
        BusSignal(":1.2", "ActionInvoked", [.uint32(7), .uint32(7)]),
        BusSignal(":1.2", "ActionInvoked", [.uint32(7), .string("accept"), .bool(true)]),
        BusSignal(":1.2", "ActionInvoked", [.int32(-7), .string("accept")]),
        BusSignal(":1.2", "ActivationToken", [.uint32(7), .string("")]),
        BusSignal(":1.2", "ActivationToken", [.uint32(7), .string("two words")]),
        BusSignal(":1.2", "ActivationToken", [.uint32(7), .string(String(repeating: "a", count: 257))]),
        BusSignal(":1.2", "NotificationReplied", [.uint32(7), .string("hello")]),
    ])
    func `signals that make no sense are left out`(_ signal: BusSignal) { #expect(NotificationEvent(signal) == nil) }

    @Test(arguments: [
        ([BusValue](), [BusValue]()), ([.uint32(1), .bool(true)], [.string("actions")]),
        ([.string("a")], [.array([.uint32(1)], of: "u")]),
    ])
    func `a server that says nothing sensible of itself can do nothing`(
        _ information: [BusValue], _ capabilities: [BusValue]
    ) {
        #expect(
            NotificationFeatures(information: information, capabilities: capabilities).capabilities.isEmpty)
    }
}

extension BusSignal {
    fileprivate init(_ sender: String, _ name: String, _ values: [BusValue]) {
        self.init(
            sender: sender, path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications",
            name: name, values: values)
    }
}
