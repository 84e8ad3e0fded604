import Calling
import Media
import Signaling
import TestSupport
import Testing

@testable import Parley

@Suite(.serialized, .timeLimit(.minutes(5))) struct EchoTests {
    @Test func `the test call sends picture and sound back`() async throws {
        let summary = try await limited("the test call", to: .seconds(100)) {
            try await TestCall().run { call in
                try await call.state("it is on") { $0.isActive }
                try await call.receives(video: 3, audio: 20)
                await call.hangUp()
                _ = try await call.endReason()
                return await call.summary()
            }
        }
        #expect(summary.result == "completed")
        #expect(summary.received.framesRejected == 0)
        #expect(summary.received.frameEncryption == "aes-256-gcm")
        #expect(summary.received.fingerprintVerified)
    }

    @Test func `a test call leaves nothing on the relay that carried it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            var testCall = TestCall()
            testCall.relay = neighbourhood.relay
            testCall.media = .audio
            let most = try await testCall.run { call in
                #expect(call.contact.name == Contact.testCallName)
                try await call.state("it is on") { $0.isActive }
                await call.hangUp()
                _ = try await call.endReason()
                return neighbourhood.server.queueCount
            }
            #expect(most >= 2)
            #expect(neighbourhood.server.queueCount == 0)
        }
    }

    @Test func `an account with a relay of its own has the test call among its contacts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann") {
                $0.relays = .embedded(host: "127.0.0.1", port: 0)
                $0.offersTestCall = true
            }
            let contact = try await limited("the test contact") { [updates = account.updates] in
                for await update in updates {
                    guard case .contacts(let contacts) = update else { continue }
                    if let contact = contacts.first(where: { $0.isTestCall && $0.isConnected }) { return contact }
                }
                throw Overdue("The account was closed.")
            }
            #expect(contact.name == "Test call")
            let call = try await account.call(contact, media: .audio)
            try await call.state("it is on") { $0.isActive }
            try await call.receives(video: 0, audio: 20)
            await call.hangUp()
            #expect(try await call.endReason() == .hungUp)
        }
    }

    @Test func `an account can close while its test call is being made`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann") {
                $0.relays = .embedded(host: "127.0.0.1", port: 0)
                $0.offersTestCall = true
            }
            await account.close()
            let again = try await neighbourhood.open("Ann") { $0.relays = .embedded(host: "127.0.0.1", port: 0) }
            #expect(await again.contacts().filter(\.isConnected).isEmpty)
        }
    }
}
