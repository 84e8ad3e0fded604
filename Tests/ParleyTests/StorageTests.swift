import Agent
import Foundation
import TestSupport
import Testing

@testable import Parley

/// What an account says of its store and its settings.
@Suite(.timeLimit(.minutes(5))) struct StorageTests {
    @Test func `a profile without its store is not opened as an empty one`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let first = try await neighbourhood.open("Ann")
            await first.close()
            let folder = await neighbourhood.configuration("Ann").directory
            #expect(!FileManager.default.fileExists(atPath: folder + "/beginning"))
            try FileManager.default.removeItem(atPath: folder + "/agent.sqlite")
            await #expect(throws: AccountError.self) { try await neighbourhood.open("Ann") }
            #expect(!FileManager.default.fileExists(atPath: folder + "/agent.sqlite"))
        }
    }

    @Test func `damaged settings are told to whoever listens`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let folder = await neighbourhood.configuration("Ann").directory
            try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/settings.json"))
            let account = try await neighbourhood.open("Ann")
            for _ in 0..<2 {
                let told = try await limited("the settings are told") { [updates = account.updates] in
                    for await update in updates {
                        if case .settings(let loss) = update { return loss as SettingsLoss? }
                    }
                    return nil
                }
                #expect(told == .damaged(aside: "settings.json.damaged"))
            }
        }
    }

    @Test func `a failing store is told and contacts that it did not take are kept when it works`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            await account.handle(.storeFailing(.full))
            func storage() async throws -> StoreError? {
                try await limited("the storage is told") { [updates = account.updates] in
                    for await update in updates {
                        switch update {
                        case .storage(let error): return error
                        case .contacts: return nil
                        default: break
                        }
                    }
                    return nil
                }
            }
            #expect(try await storage() == .full)
            await account.handle(.storeRecovered)
            #expect(try await storage() == nil)
        }
    }
}
