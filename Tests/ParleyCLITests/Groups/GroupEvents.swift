import Foundation
import TestSupport
import Testing

/// What a process tells of a call of several.
extension ChildProcess {
    /// What was said of a member, in order.
    func stages(of name: String, since line: Int = 0) throws -> [String] {
        try events().dropFirst(line).filter { $0.name == "member" && $0["name"] as? String == name }.compactMap {
            $0["state"] as? String
        }
    }

    /// How far it was with the room on the server, in order.
    func rooms(since line: Int = 0) throws -> [String] {
        try events().dropFirst(line).filter { $0.name == "groupRoom" }.compactMap { $0["state"] as? String }
    }

    /// Who is the host, as it sees that, being called `own` itself.
    func host(as own: String) throws -> String {
        let members = try events().filter { $0.name == "member" }
        let last = Dictionary(members.map { ($0["member"] as? Int ?? 0, $0) }) { $1 }
        return last.values.first { $0["host"] as? Bool == true }?["name"] as? String ?? own
    }

    func member(_ name: String, is stage: String) async throws {
        try await waitUntil("\(name) is \(stage)") { try stages(of: name).last == stage }
    }

    /// Waits until so many members are connected.
    func hears(_ count: Int) async throws {
        do {
            try await waitUntil("\(count) are connected") {
                let members = try events().filter { $0.name == "member" }
                let last = Dictionary(members.map { ($0["member"] as? Int ?? 0, $0["state"] as? String) }) { $1 }
                return last.values.count { $0 == "connected" } == count
            }
        } catch {
            throw Overdue("\(error): \(recent) \(errors)")
        }
    }

    /// Waits until so many members come by the room, and none any other way.
    func isInRoom(with count: Int) async throws {
        do {
            try await waitUntil("\(count) come by the room") {
                let news = try events().filter { $0.name == "memberRoom" }
                let last = Dictionary(news.map { ($0["member"] as? Int ?? 0, $0["byRoom"] as? Bool) }) { $1 }
                return last.values.count { $0 == true } == count
            }
        } catch {
            throw Overdue("\(error): \(recent) \(errors)")
        }
    }

    /// Waits until pictures and sound of so many members have come, and each of them says the same.
    func counts(_ count: Int) async throws {
        do {
            try await waitUntil("\(count) are seen and heard") {
                let statistics = try events().filter { $0.name == "memberStatistics" }
                let seen = statistics.filter { ($0["pictures"] as? Int ?? 0) > 0 && ($0["sound"] as? Int ?? 0) > 0 }
                return Set(seen.compactMap { $0["member"] as? Int }).count >= count
            }
        } catch {
            throw Overdue("\(error): \(try counts()) now; \(recent)")
        }
        try await waitUntil("\(count) have seen and heard \(count)") {
            let news = try events().filter { $0.name == "memberMet" }
            let last = Dictionary(news.map { ($0["member"] as? Int ?? 0, $0) }) { $1 }
            return last.values.count { member in
                ["heard", "seen"].allSatisfy { (member[$0] as? [Int])?.count ?? 0 >= count }
            } >= count
        }
    }

    /// Waits until more pictures and sound of so many members have come than now; 50 pieces of sound are a second.
    func countsMore(_ count: Int, pictures: Int = 11, sounds: Int = 20) async throws {
        let before = try counts()
        do {
            try await waitUntil("\(count) are seen and heard again") {
                try counts().count { member, now in
                    let then = before[member] ?? (0, 0)
                    return now.pictures >= then.pictures + pictures && now.sound > then.sound + sounds
                } >= count
            }
        } catch {
            throw Overdue("\(error): \(before) before, \(try counts()) now; \(recent)")
        }
    }

    /// Whether no picture of so many members came between the last counts, which are a second apart, and those so long before.
    func picturesStand(for seconds: Int, of count: Int) throws -> Bool {
        try stand(for: seconds) { $0["pictures"] as? Int ?? 0 } >= count
    }

    /// Whether nothing of so many members came between the last counts, which are a second apart, and those so long before.
    func allStands(for seconds: Int, of count: Int) throws -> Bool {
        try stand(for: seconds) { counts in
            ["pictures", "sound"].reduce(0) { $0 + (counts[$1] as? Int ?? 0) }
        } >= count
    }

    /// Of how many members the last counts are those of so many seconds before.
    private func stand(for seconds: Int, _ count: (Event) -> Int) throws -> Int {
        let statistics = try events().filter { $0.name == "memberStatistics" }
        let counts = Dictionary(grouping: statistics) { $0["member"] as? Int ?? 0 }.mapValues { events in
            events.suffix(seconds + 1).map(count)
        }
        return counts.values.count { $0.count == seconds + 1 && $0.first == $0.last }
    }

    /// All pictures and pieces of sound that it has counted so far.
    func total() throws -> Int { try counts().values.reduce(0) { $0 + $1.pictures + $1.sound } }

    /// What it counted last, by the member's number.
    private func counts() throws -> [Int: (pictures: Int, sound: Int)] {
        let pairs = try events().filter { $0.name == "memberStatistics" }.map {
            ($0["member"] as? Int ?? 0, ($0["pictures"] as? Int ?? 0, $0["sound"] as? Int ?? 0))
        }
        return Dictionary(pairs) { $1 }
    }

    /// What it told last, but for the counts of each second.
    private var recent: ArraySlice<String> { lines.filter { !$0.contains("memberStatistics") }.suffix(30) }

    /// How many members it has had a direct path to.
    func directMembers() throws -> Int {
        Set(try events().filter { $0.name == "memberPath" }.compactMap { $0["member"] as? Int }).count
    }

    /// The epoch of the key that it seals with.
    func ownEpoch() throws -> Int {
        let own = try events().last { $0.name == "groupStage" }?["own"] as? Int
        let key = try events().last { $0.name == "groupKey" && $0["member"] as? Int == own }
        return try #require(key?["epoch"] as? Int)
    }
}
