import Cryptography
import Foundation
import Portal
import TestSupport
import Testing

@testable import LocalNetwork

/// Two real Avahis in one network.
@Suite(.needs(AvahiTown.obstacle), .serialized, .timeLimit(.minutes(5))) struct AvahiTests {
    private func connect(_ machine: AvahiTown.Machine) async throws -> Avahi {
        try await Avahi.connect(bus: try await Bus.connect(address: machine.bus))
    }

    /// The first service that is found and accepted.
    private func find(
        _ news: AsyncStream<ServiceNews>, where isWanted: (ServiceName) -> Bool = { _ in true }
    ) async throws -> ServiceName {
        for await item in news {
            if case .found(let service) = item, isWanted(service) { return service }
        }
        throw DiscoveryError.noService
    }

    @Test func `what one machine announces the other finds, with its place and what it says`() async throws {
        let town = try await AvahiTown()
        let (here, there) = (try await connect(town.first), try await connect(town.second))
        #expect(try await here.hostName() == town.first.hostName)
        #expect(await there.addresses(ofHost: town.first.hostName).first == town.first.address)
        let announcement = try await here.announce(
            "Parley relay", kind: .relay, port: 5_223, text: ServiceText(["fp": "abc"]))
        let news = try await there.browse(.relay)
        let service = try await find(news)
        #expect(service.name == "Parley relay" && !service.isOwn)
        let place = try await there.resolve(service)
        #expect(place.host == town.first.hostName && place.port == 5_223 && place.text["fp"] == "abc")
        #expect([town.first.address].contains(place.address) || place.address.contains(":"))
        // Here it is known for an own one.
        #expect(try await find(try await here.browse(.relay)).isOwn)
        await announcement.end()
        var isLost = false
        for await item in news {
            if case .lost(let gone) = item, gone.name == "Parley relay" {
                isLost = true
                break
            }
        }
        #expect(isLost)
    }

    @Test func `two of one name get two names`() async throws {
        let town = try await AvahiTown()
        let (here, there) = (try await connect(town.first), try await connect(town.second))
        let one = try await here.announce("Same", kind: .person, port: 1, text: ServiceText())
        let other = try await here.announce("Same", kind: .person, port: 2, text: ServiceText())
        #expect(one.name == "Same" && other.name != "Same")
        _ = try await find(try await there.browse(.person)) { $0.name == other.name }
    }

    @Test func `a name that nobody has has no address, and without Avahi that is said`() async throws {
        let town = try await AvahiTown()
        let here = try await connect(town.first)
        #expect(await here.addresses(ofHost: "nobody-\(UUID().uuidString.prefix(6)).local").isEmpty)
        let folder = try TemporaryFolder()
        let file = folder.file("none.conf")
        let settings = AvahiTown.busSettings(address: "unix:path=\(folder.file("bus"))")
        try Data(settings.utf8).write(to: URL(filePath: file))
        let daemon = try ChildProcess(
            "/usr/bin/dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile", "--print-address=1"],
            folder: folder.path)
        _ = try await daemon.line { $0.hasPrefix("unix:") }
        let bus = try await Bus.connect(address: "unix:path=\(folder.file("bus"))")
        await #expect(throws: DiscoveryError.noService) { try await Avahi.connect(bus: bus) }
    }
}
