import Agent
import Foundation

/// Somebody who asks at the contact address to be connected.
public struct IncomingRequest: Sendable, Hashable, Identifiable {
    /// The number by which it is accepted or rejected.
    public let id: Int64
    /// The name they gave themselves.
    public let name: String
    /// When the relay took the request.
    public let date: Date

    init(_ request: ContactRequest) {
        id = request.id
        name = displayName(inRequest: request.information) ?? "Somebody without a name"
        date = Date(timeIntervalSince1970: TimeInterval(request.brokerTime))
    }
}
