import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// An Internet gateway device of UPnP at 127.0.0.1: HTTP with a description and the three actions that matter. It answers as a test says.
final class GatewayServer: Sendable {
    struct Behaviour: Sendable {
        var description: String?
        var address = "198.51.100.7"
        /// Numbers of refusals of AddPortMapping, in their order; then it succeeds.
        var refusals: [Int] = []
        /// Bytes of an answer after which nothing more comes, and the connection stays open.
        var stopsAfter: Int?
    }

    let port: UInt16
    private let channel: any Channel
    private let state: State

    final class State: Sendable {
        let behaviour: Mutex<Behaviour>
        /// The bodies of the actions that were asked.
        let actions = Mutex<[String]>([])

        init(_ behaviour: Behaviour) { self.behaviour = Mutex(behaviour) }
    }

    private init(_ channel: any Channel, _ state: State) {
        (self.channel, self.state) = (channel, state)
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    static func start(_ behaviour: Behaviour = Behaviour()) async throws -> GatewayServer {
        let state = State(behaviour)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { $0.pipeline.addHandler(Handler(state)) }
            .bind(host: "127.0.0.1", port: 0).get()
        return GatewayServer(channel, state)
    }

    var place: String { "http://127.0.0.1:\(port)/device.xml" }
    var actions: [String] { state.actions.withLock { $0 } }

    func describe(_ description: String) { state.behaviour.withLock { $0.description = description } }

    func stop() async { try? await channel.close() }

    static func description(control: String = "/control") -> String {
        """
        <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
        <deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><deviceList><device>
        <deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><deviceList><device>
        <deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><serviceList><service>
        <serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType>
        <controlURL>\(control)</controlURL><eventSubURL>/event</eventSubURL><SCPDURL>/scpd.xml</SCPDURL>
        </service></serviceList></device></deviceList></device></deviceList></device></root>
        """
    }

    private final class Handler: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let state: State
        private let text = Mutex("")

        init(_ state: State) { self.state = state }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let whole = text.withLock { text in
                text += String(buffer: unwrapInboundIn(data))
                return text
            }
            guard let end = whole.range(of: "\r\n\r\n") else { return }
            let body = String(whole[end.upperBound...])
            let length =
                whole.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).trimmingPrefix { $0 == " " }) } ?? 0
            guard body.utf8.count >= length else { return }
            text.withLock { $0 = "" }
            let (status, answer) = answer(to: whole, body)
            let full =
                "HTTP/1.1 \(status)\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n\(answer)"
            let most = state.behaviour.withLock { $0.stopsAfter }
            let bytes = Array(full.utf8).prefix(most ?? .max)
            let sent = context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)))
            guard most == nil else { return }
            let channel = context.channel
            sent.whenComplete { _ in channel.close(promise: nil) }
        }

        private func answer(to request: String, _ body: String) -> (String, String) {
            guard request.hasPrefix("POST") else {
                return ("200 OK", state.behaviour.withLock { $0.description } ?? GatewayServer.description())
            }
            state.actions.withLock { $0.append(body) }
            if body.contains("GetExternalIPAddress") {
                let address = state.behaviour.withLock { $0.address }
                return ("200 OK", envelope("<NewExternalIPAddress>\(address)</NewExternalIPAddress>"))
            }
            let refusal: Int? = state.behaviour.withLock { behaviour in
                guard body.contains("AddPortMapping"), !behaviour.refusals.isEmpty else { return nil }
                return behaviour.refusals.removeFirst()
            }
            guard let refusal else { return ("200 OK", envelope("")) }
            return ("500 Internal Server Error", envelope("<errorCode>\(refusal)</errorCode>"))
        }

        private func envelope(_ content: String) -> String {
            """
            <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:Answer \
            xmlns:u="urn:schemas-upnp-org:service:WANIPConnection:1">\(content)</u:Answer></s:Body></s:Envelope>
            """
        }
    }
}
