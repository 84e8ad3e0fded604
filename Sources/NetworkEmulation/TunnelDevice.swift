import Glibc

/// A TUN device: IP packets that the system sends to it are read, those written to it are received by the system.
final class TunnelDevice: Sendable {
    /// `TUNSETIFF`, `IFF_TUN` and `IFF_NO_PI` of `linux/if_tun.h`; macros that Swift does not see.
    private static let setInterface: UInt = 0x4004_54CA
    private static let flags: UInt16 = 0x0001 | 0x1000

    let descriptor: Int32

    /// Makes the device `name`, of at most 15 bytes.
    init(name: String) throws {
        let device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard device >= 0 else { throw NetworkEmulationError.device(String(cString: strerror(errno))) }
        // struct ifreq: 16 bytes of name, then the flags, 40 bytes in all.
        var request = [UInt8](repeating: 0, count: 40)
        for (index, byte) in name.utf8.prefix(15).enumerated() { request[index] = byte }
        request[16] = UInt8(truncatingIfNeeded: Self.flags)
        request[17] = UInt8(truncatingIfNeeded: Self.flags >> 8)
        let result = request.withUnsafeMutableBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return ioctl(device, Self.setInterface, start)
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            close(device)
            throw NetworkEmulationError.device(reason)
        }
        // Last: what is complete when it throws is also deinitialised, which closes.
        descriptor = device
    }

    deinit { close(descriptor) }

    /// The packets that wait, up to a number that lets the other device have its turn.
    func read(into buffer: inout [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while packets.count < 64 {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            packets.append(Array(buffer.prefix(count)))
        }
        return packets
    }

    /// Gives the system a packet. One that it does not take is lost, as on a wire.
    func write(_ packet: [UInt8]) {
        _ = packet.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
