import BaseKit
import Signaling
import Testing

@testable import SFURules

/// A machine and what a server says to it: real texts of a Janus 1.1.2, with its numbers made short.
struct Talk {
    /// The numbers that the pretended server gives.
    static let (session, service, own, subscription) = (11, 21, 31, 41)
    static let room = SFURoom(number: SFUNumber(4_871_200_913_377)!, pin: SecretText("p1"))
    static let anna = SFUFeed(id: SFUNumber(101)!, display: "1.mark")
    static let ben = SFUFeed(id: SFUNumber(102)!, display: "2.mark")
    static let cleo = SFUFeed(id: SFUNumber(103)!, display: "3.mark")

    var machine: JanusMachine
    var now = Instant(sinceStart: .seconds(1_000))
    /// What was to be done since it was looked at.
    private(set) var effects: [JanusMachine.Effect] = []
    /// Every text that was sent.
    private(set) var sent: [JSONObject] = []

    init(keys: SFUKeys = SFUKeys()) { machine = JanusMachine(keys: keys) }

    // MARK: Inputs

    mutating func start() { note(machine.start(now: now)) }
    mutating func connect() { note(machine.connected(now: now)) }
    mutating func cut(_ reason: SFUError = .lost) { note(machine.disconnected(reason, now: now, chance: 0.5)) }
    mutating func changeNetwork() { note(machine.networkChanged(now: now)) }
    mutating func close() { note(machine.close(now: now)) }
    mutating func ask(_ number: Int, _ command: JanusCommand) { note(machine.request(number, command, now: now)) }

    mutating func pass(_ time: Duration) {
        now = now + time
        note(machine.timeOut(now: now, chance: 0.5))
    }

    mutating func say(_ bytes: [UInt8]) { note(machine.received(bytes, now: now, chance: 0.5)) }

    /// The server says something; `$T` is the transaction of the last request, `$A` that of the one before.
    mutating func say(_ text: String) {
        let numbers = sent.compactMap { $0["transaction"]?.string }
        var words = text.replacing("$T", with: numbers.last ?? "0")
        words = words.replacing("$A", with: numbers.dropLast().last ?? "0")
        say(Array(words.utf8))
    }

    private mutating func note(_ new: [JanusMachine.Effect]) {
        effects += new
        for case .send(let bytes) in new {
            if let object = try? JSONValue(parsing: bytes).object { sent.append(object) }
        }
    }

    // MARK: What came of it

    /// What was to be done since the last look, without what was sent.
    mutating func look() -> [JanusMachine.Effect] {
        defer { effects = [] }
        return effects.filter { if case .send = $0 { false } else { true } }
    }

    /// What a command came to, looked for among everything since the last look.
    func result(_ number: Int) -> Result<JanusAnswer, SFUError>? {
        for case .settle(number, let result) in effects { return result }
        return nil
    }

    var events: [SFUEvent] { effects.compactMap { if case .event(let event) = $0 { event } else { nil } } }

    /// The verbs sent so far.
    var verbs: [String] { sent.compactMap { $0["janus"]?.string } }

    /// The last body for the plugin.
    var lastBody: JSONObject? { sent.last?["body"]?.object }

    // MARK: Usual beginnings

    /// Until there is a session with its first handle.
    static func on(keys: SFUKeys = SFUKeys()) -> Talk {
        var talk = Talk(keys: keys)
        talk.start()
        talk.connect()
        talk.sayServerInfo()
        talk.sayNewSession()
        _ = talk.look()
        return talk
    }

    mutating func sayServerInfo() {
        say(
            #"{"janus":"server_info","transaction":"$A","name":"Janus WebRTC Server","version":1102,"#
                + #""version_string":"1.1.2","plugins":{"janus.plugin.videoroom":{"version":9}}}"#)
    }

    mutating func sayNewSession(_ session: Int = Talk.session, service: Int = Talk.service) {
        say(#"{"janus":"success","transaction":"$T","data":{"id":\#(session)}}"#)
        say(#"{"janus":"success","session_id":\#(session),"transaction":"$T","data":{"id":\#(service)}}"#)
    }

    /// In the room as Anna, where others send already.
    static func joined(_ others: [SFUFeed] = []) -> Talk {
        var talk = Talk.on()
        talk.join(others)
        _ = talk.look()
        return talk
    }

    mutating func join(_ others: [SFUFeed] = [], as feed: SFUFeed = Talk.anna, handle: Int = Talk.own) {
        ask(1, .join(Talk.room, feed))
        sayHandle(handle)
        sayAcknowledgement()
        sayResult(
            handle,
            #"{"videoroom":"joined","room":4871200913377,"description":"Room","id":\#(feed.id),"private_id":77,"#
                + #""publishers":[\#(others.map(Self.publisher).joined(separator: ","))]}"#)
    }

    static func publisher(_ feed: SFUFeed) -> String {
        #"{"id":\#(feed.id),"display":"\#(feed.display)","audio_codec":"opus","video_codec":"vp8","#
            + #""streams":[{"type":"audio","mindex":0,"mid":"0","codec":"opus"}]}"#
    }

    /// A feed that is received, with sound and picture.
    mutating func subscribe(_ feed: SFUFeed = Talk.ben, handle: Int = Talk.subscription) {
        ask(2, .subscribe(feed.id))
        sayHandle(handle)
        sayResult(
            handle,
            #"{"videoroom":"attached","room":4871200913377,"streams":[{"mindex":0,"mid":"0","type":"audio","feed_id":102},"#
                + #"{"mindex":1,"mid":"1","type":"video","feed_id":102}]}"#,
            more: #","jsep":{"type":"offer","sdp":"v=0 offer"}"#)
    }

    mutating func sayHandle(_ handle: Int) {
        say(#"{"janus":"success","session_id":11,"transaction":"$T","data":{"id":\#(handle)}}"#)
    }

    mutating func sayAcknowledgement() { say(#"{"janus":"ack","session_id":11,"transaction":"$T"}"#) }

    /// The answer of the plugin to the last request.
    mutating func sayResult(_ handle: Int, _ data: String, kind: String = "event", more: String = "") {
        say(
            #"{"janus":"\#(kind)","session_id":11,"transaction":"$T","sender":\#(handle),"#
                + #""plugindata":{"plugin":"janus.plugin.videoroom","data":\#(data)}\#(more)}"#)
    }

    /// What the plugin tells by itself.
    mutating func tell(_ data: String, handle: Int = Talk.own) {
        say(
            #"{"janus":"event","session_id":11,"sender":\#(handle),"#
                + #""plugindata":{"plugin":"janus.plugin.videoroom","data":\#(data)}}"#)
    }

    mutating func sayRefusal(_ code: Int, handle: Int = Talk.own, kind: String = "event") {
        sayResult(handle, #"{"videoroom":"event","error_code":\#(code),"error":"no"}"#, kind: kind)
    }
}
