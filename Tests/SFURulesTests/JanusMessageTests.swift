import Signaling
import Testing

@testable import SFURules

/// What a Janus 1.1.2 really said.
@Suite(.timeLimit(.minutes(5))) struct JanusMessageTests {
    private func read(_ text: String) throws -> JanusMessage { try JanusMessage(decoding: Array(text.utf8)) }

    @Test func `a server's words about itself are read`() throws {
        let message = try read(
            #"{"janus":"server_info","transaction":"1","name":"Janus WebRTC Server","version":1102,"version_string":"1.1.2","#
                + #""session-timeout":60,"plugins":{"janus.plugin.videoroom":{"name":"JANUS VideoRoom plugin"}}}"#)
        #expect(message.kind == .serverInfo(version: "1.1.2", hasVideoRoom: true))
        #expect(message.transaction == 1)
    }

    @Test func `numbers of 53 bits are read exactly`() throws {
        let message = try read(
            #"{"janus":"success","session_id":9007199254740991,"transaction":"5","data":{"id":3876212670621532}}"#)
        #expect(message.kind == .success(3_876_212_670_621_532))
        #expect(message.session == 9_007_199_254_740_991)
    }

    @Test func `a refusal of the plugin is read from an answer and from an event`() throws {
        for kind in ["success", "event"] {
            let message = try read(
                #"{"janus":"\#(kind)","session_id":1,"transaction":"6","sender":2,"plugindata":"#
                    + #"{"plugin":"janus.plugin.videoroom","data":{"videoroom":"event","error_code":433,"error":"Unauthorized"}}}"#
            )
            #expect(message.room?.errorCode == 433)
        }
    }

    @Test func `an answer to an offer is read`() throws {
        let message = try read(
            #"{"janus":"event","session_id":1,"transaction":"17","sender":2,"plugindata":{"plugin":"janus.plugin.videoroom","#
                + #""data":{"videoroom":"event","room":4871200913377,"configured":"ok","audio_codec":"opus","video_codec":"vp8","#
                + #""streams":[{"type":"audio","mindex":0,"mid":"0","codec":"opus"},{"type":"video","mindex":1,"mid":"1","#
                + #""codec":"vp8"}]}},"jsep":{"type":"answer","sdp":"v=0\r\ns=VideoRoom\r\n"}}"#)
        #expect(message.description == JanusDescription(.answer, "v=0\r\ns=VideoRoom\r\n"))
        #expect(message.room?.streams.map(\.kind) == [.audio, .video])
    }

    @Test func `those in a room are read, with whether they send`() throws {
        let message = try read(
            #"{"janus":"success","session_id":1,"transaction":"27","sender":2,"plugindata":{"plugin":"janus.plugin.videoroom","#
                + #""data":{"videoroom":"participants","room":5,"participants":[{"id":11,"display":"A","publisher":true},"#
                + #"{"id":13,"publisher":false}]}}}"#)
        #expect(
            message.room?.participants == [
                SFUParticipant(feed: SFUFeed(id: SFUNumber(11)!, display: "A"), isSending: true),
                SFUParticipant(feed: SFUFeed(id: SFUNumber(13)!, display: ""), isSending: false),
            ])
    }

    @Test func `what another plugin says is not read`() throws {
        let message = try read(
            #"{"janus":"event","sender":2,"plugindata":{"plugin":"janus.plugin.echotest","data":{"echotest":"event"}}}"#
        )
        #expect(message.room == nil)
    }

    @Test func `an overlong display refuses the message`() {
        let display = String(repeating: "é", count: 129)
        #expect(throws: JanusMessage.Refusal.field("display")) {
            try read(
                #"{"janus":"event","sender":2,"plugindata":{"plugin":"janus.plugin.videoroom","#
                    + #""data":{"videoroom":"event","publishers":[{"id":1,"display":"\#(display)"}]}}}"#)
        }
    }

    /// Computed by Python's hmac.
    @Test func `a signed token has the form that Janus checks`() {
        let token = SFUToken.make(secret: SecretText("test"), until: 1_795_734_616)
        #expect(token.text == "1795734616,janus,janus.plugin.videoroom:/MG9d8HskCi8kcbUsH+X5FaT6rk=")
    }

    @Test func `a token that was given counts before the secret`() {
        let keys = SFUKeys(token: SecretText("given"), tokenSecret: SecretText("test"))
        #expect(keys.usedToken(wallClock: 0)?.text == "given")
        #expect(keys.madeToken(wallClock: 1_000) == nil)
        let own = SFUKeys(tokenSecret: SecretText("test")).usedToken(wallClock: 1_000)?.text
        #expect(own?.hasPrefix("44200,janus,") == true)
    }

    @Test func `keys and rooms are never described`() {
        let keys = SFUKeys(
            roomKey: SecretText("hidden1"), token: SecretText("hidden2"), tokenSecret: SecretText("hidden3"))
        let plan = SFURoomPlan(
            room: SFURoom(number: SFUNumber(1)!, pin: SecretText("hidden4")), secret: SecretText("hidden5"))
        #expect(!"\(keys) \(plan) \(JanusCommand.makeRoom(plan))".contains("hidden"))
    }
}
