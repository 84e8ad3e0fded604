import Glibc
import Testing

@testable import Media

extension RealMedia {
    @Suite struct LeakTests {
        @Test func `ten calls in sequence leave nothing behind`() async throws {
            try await Self.runCall()
            let before = Self.openDescriptors
            for _ in 0..<10 { try await Self.runCall() }
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
            #expect(Capture.live == 0)
            #expect(Self.openDescriptors <= before + 2)
        }

        @Test func `a session that is only dropped frees its pipelines`() async throws {
            do {
                let call = try await Loopback { offerer, answerer in
                    offerer.camera = .none
                    answerer.camera = .none
                    offerer.microphone = .none
                    answerer.microphone = .none
                }
                _ = try await call.offerer.makeOffer()
                await call.offerer.close()
                await call.answerer.close()
            }
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
        }

        private static func runCall() async throws {
            let call = try await Loopback()
            try await call.connect()
            await call.offererLog.wait(for: .firstVideoFrame)
            await call.answererLog.wait(for: .firstVideoFrame)
            await call.close()
        }

        private static var openDescriptors: Int {
            guard let folder = opendir("/proc/self/fd") else { return 0 }
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }
    }
}
