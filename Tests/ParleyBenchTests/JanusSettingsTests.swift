import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(1))) struct JanusSettingsTests {
    private static let plain = JanusSettings(folder: "/folder", host: "127.0.0.1", port: 4_711, roomKey: "key")
    private static let file = "janus.transport.websockets.jcfg"

    @Test func `it takes WebSockets without TLS where there is no certificate`() throws {
        #expect(Self.plain.address == "ws://127.0.0.1:4711/")
        let transport = try #require(Self.plain.files[Self.file])
        #expect(
            transport == "general: { ws = true  wss = false  ws_port = 4711  ws_ip = \"127.0.0.1\" }\n")
    }

    @Test func `with a certificate it takes nothing without TLS`() throws {
        var settings = Self.plain
        settings.host = "10.89.0.1"
        settings.certificate = JanusSettings.Certificate(certificate: "/folder/c", key: "/folder/k")
        #expect(settings.address == "wss://10.89.0.1:4711/")
        let transport = try #require(settings.files[Self.file])
        for words in [
            "ws = false  wss = true", "wss_port = 4711", "cert_pem = \"/folder/c\"  cert_key = \"/folder/k\"",
        ] {
            #expect(transport.contains(words))
        }
    }

    @Test func `of what is installed only rooms and WebSockets are loaded`() throws {
        var settings = Self.plain
        settings.modules = [
            "plugins": ["libjanus_videoroom.so", "libjanus_sip.so", "libjanus_echotest.so"],
            "transports": ["libjanus_http.so", "libjanus_websockets.so"], "events": ["libjanus_sampleevh.so"],
        ]
        let text = try #require(settings.files["janus.jcfg"])
        for line in [
            "plugins: { disable = \"libjanus_echotest.so,libjanus_sip.so\" }",
            "transports: { disable = \"libjanus_http.so\" }", "events: { disable = \"libjanus_sampleevh.so\" }",
            "loggers: { disable = \"\" }",
        ] { #expect(text.contains(line)) }
    }

    @Test func `a Janus that is not installed is named`() {
        #expect(throws: BenchError.janusMissing) { try MeasuredJanus.find(in: "/nonexistent:/proc") }
        #expect("\(BenchError.janusMissing)".contains("install the package janus"))
    }
}
