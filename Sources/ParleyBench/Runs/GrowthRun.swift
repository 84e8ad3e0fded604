/// Whether a message costs more among many queues than among few.
struct GrowthRun {
    private struct Point {
        let stored: Int
        let result: DeliveryResult
    }

    let plan: LoadPlan
    let relay: Subject

    func figures() async throws(BenchError) -> [Figure] {
        let (fleet, _) = try await Fleet.connect(LoadPlan.fillConnections, to: relay)
        let points: [Point]
        do throws(BenchError) {
            points = try await measure(fleet)
        } catch {
            await fleet.close()
            throw error
        }
        await fleet.close()
        return growth(points)
    }

    private func measure(_ fleet: Fleet) async throws(BenchError) -> [Point] {
        try await fleet.makeRoutes(each: 8)
        // Warm: the first point has all buffers that the last one has.
        _ = try await fleet.saturate(underWay: 32, seconds: min(0.5, plan.seconds))
        var points: [Point] = []
        var unsubscribed = 0
        for size in plan.growthSizes {
            let subscribed = min(size, plan.queues)
            let missing = max(0, subscribed - fleet.routeCount)
            try await fleet.makeRoutes(each: missing / LoadPlan.fillConnections)
            unsubscribed += try await store(size - fleet.routeCount - unsubscribed, fleet)
            let result = try await fleet.saturate(underWay: 32, seconds: plan.seconds)
            points.append(Point(stored: fleet.routeCount + unsubscribed, result: result))
        }
        return points
    }

    /// Makes queues that nobody subscribes to.
    private func store(_ count: Int, _ fleet: Fleet) async throws(BenchError) -> Int {
        guard count > 0 else { return 0 }
        let stations = fleet.stations
        let results = await withTaskGroup(of: Result<Int, BenchError>.self) { group in
            for (index, station) in stations.enumerated() {
                // The first stations make what can't be shared evenly.
                let share = count / stations.count + (index < count % stations.count ? 1 : 0)
                group.addTask { await Self.store(share, at: station) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var made = 0
        for result in results { made += try result.get() }
        return made
    }

    private static func store(_ count: Int, at station: Station) async -> Result<Int, BenchError> {
        var made = 0
        do throws(BenchError) {
            while made < count {
                made += try await station.makeQueues(
                    min(Fleet.batch, count - made), subscribed: false, secured: false
                ).count
            }
            return .success(made)
        } catch {
            return .failure(error)
        }
    }

    private func growth(_ points: [Point]) -> [Figure] {
        guard let first = points.first else { return [] }
        let name = CeilingName.stored(first.stored)
        return points.flatMap { point in
            var figures = [
                Figure(
                    FigureName.growthMessages, of: relay.name, load: point.stored, value: point.result.rate,
                    unit: "1/s",
                    better: .higher, ceiling: .init(name, first.result.rate))
            ]
            if let value = point.result.processorMicroseconds, let best = first.result.processorMicroseconds {
                figures.append(
                    Figure(
                        FigureName.growthProcessor, of: relay.name, load: point.stored, value: value, unit: "µs",
                        better: .lower, ceiling: .init(name, best)))
            }
            return figures
        }
    }
}
