/// How alike two pictures look: SSIM (Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to
/// structural similarity", 2004), of brightness, in blocks of 8 by 8 pixels that touch.
enum StructuralSimilarity {
    private static let block = 8
    // K1 = 0.01 and K2 = 0.03 of the paper, of 255.
    private static let first = 6.5025, second = 58.5225

    /// 1 for the same picture. The second one is brought to the size of the first.
    static func compare(_ picture: LumaPicture, with other: LumaPicture) -> Double {
        let other = other.scaled(width: picture.width, height: picture.height)
        var (sum, count) = (0.0, 0)
        for top in stride(from: 0, to: picture.height - block + 1, by: block) {
            for left in stride(from: 0, to: picture.width - block + 1, by: block) {
                sum += similarity(picture, other, left, top)
                count += 1
            }
        }
        return count > 0 ? sum / Double(count) : 0
    }

    private static func similarity(_ one: LumaPicture, _ other: LumaPicture, _ left: Int, _ top: Int) -> Double {
        var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
        for y in top..<top + block {
            for x in left..<left + block {
                let (p, q) = (one[x, y], other[x, y])
                a += p
                b += q
                aa += p * p
                bb += q * q
                ab += p * q
            }
        }
        let size = Double(block * block)
        let (ma, mb) = (Double(a) / size, Double(b) / size)
        let (va, vb) = (Double(aa) / size - ma * ma, Double(bb) / size - mb * mb)
        let covariance = Double(ab) / size - ma * mb
        return (2 * ma * mb + first) * (2 * covariance + second)
            / ((ma * ma + mb * mb + first) * (va + vb + second))
    }
}
