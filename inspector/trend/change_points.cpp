#include "inspector/trend/change_points.h"

#include "inspector/trend/circular_scan.h"
#include "inspector/trend/series_levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace et::inspector {
namespace {

/// Maximum levels per series; a series with more has no meaningful ones.
constexpr std::size_t maxRounds = 16;

/// Draws random orders of a group's points.
class PointOrders {
  public:
    PointOrders(std::size_t points, std::uint64_t seed) : random(seed), order(points) {
        std::iota(order.begin(), order.end(), 0U);
    }

    std::span<const std::uint32_t> draw() {
        for (std::size_t left = order.size(); left > 1; --left) {
            std::swap(order[left - 1], order[random() % left]);
        }
        return order;
    }

  private:
    std::mt19937_64 random;
    std::vector<std::uint32_t> order;
};

/// A series in the current round.
struct Candidate {
    Cut cut{};                  ///< the best one; deviations of 0: none
    double depends = 0;         ///< correlation of a point with the previous one
    std::vector<float> news{};  ///< each point minus the part predicted from the previous one
};

/// Search in one group.
class GroupSearch {
  public:
    GroupSearch(const SeriesGroup& group, const ChangeOptions& options)
        : points(group.series.empty() ? 0 : group.series.front().size()),
          minLevel(options.minLevel),
          scan(points, options.minLevel) {
        for (const std::vector<double>& each : group.series) {
            levels.emplace_back(each);
        }
    }

    /// Finds the best cut of each series. Returns the deviations of the clearest.
    double look() {
        candidates.clear();
        double sum = 0;
        std::size_t count = 0;
        double clearest = 0;
        std::vector<std::vector<float>> rests;
        for (const Levels& each : levels) {
            Candidate candidate;
            std::vector<float> rest = residuals(each, each.cuts);
            if (each.noise > 0) {
                candidate.cut = bestOf(withoutOutliers(rest));
            }
            if (candidate.cut.deviations > 0 && !each.mayCut(candidate.cut, minLevel)) {
                candidate.cut = {};
            }
            if (candidate.cut.deviations > 0) {
                const std::vector<std::size_t> cuts = withCut(each.cuts, candidate.cut, points);
                candidate.depends =
                    computeDependence(withoutOutliers(residuals(each, cuts)), cuts.size() + 1);
                sum += candidate.depends;
                ++count;
            }
            clearest = std::max(clearest, candidate.cut.deviations);
            rests.push_back(std::move(rest));
            candidates.push_back(std::move(candidate));
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            settle(candidates[i], rests[i], sum / static_cast<double>(std::max<std::size_t>(count, 1)));
        }
        return clearest;
    }

    /// Deviations of the clearest cut over all series if the innovations came in another order.
    double largest(std::span<const std::uint32_t> order) {
        double best = 0;
        shuffled.resize(points);
        for (const Candidate& each : candidates) {
            if (each.cut.deviations <= 0) {
                continue;
            }
            const auto depends = static_cast<float>(each.depends);
            float last = 0;
            for (std::size_t at = 0; at < points; ++at) {
                // Outliers have no influence on the next point.
                const float news = each.news[order[at]];
                const float usual = std::clamp(news, -clipAt, clipAt);
                last = at == 0 ? usual / std::sqrt(1 - depends * depends) : depends * last + usual;
                shuffled[at] = last + (news - usual);
            }
            clipOutliers(shuffled, clipAt, room);
            const double deviation = deviationOf(shuffled);
            best =
                std::max(best, deviation > 0 ? static_cast<double>(scan.largest(shuffled)) / deviation : 0);
        }
        return best;
    }

    [[nodiscard]] std::size_t cost() const { return levels.size() * (scan.parts() + points); }

    std::size_t points;
    std::size_t minLevel;
    CircularScan scan;
    std::vector<Levels> levels;
    std::vector<Candidate> candidates{};  ///< of each series

  private:
    /// Standard deviation of the values; 0: all equal except for rounding.
    [[nodiscard]] static double deviationOf(std::span<const float> series) {
        double sum = 0;
        double squares = 0;
        for (const float each : series) {
            sum += static_cast<double>(each);
            squares += static_cast<double>(each) * static_cast<double>(each);
        }
        const auto count = static_cast<double>(series.size());
        const double variance = count > 0 ? (squares - sum * sum / count) / count : 0;
        constexpr double nothing = 1e-9;
        return variance > nothing ? std::sqrt(variance) : 0;
    }

    [[nodiscard]] Cut bestOf(std::span<const float> rest) const {
        const double deviation = deviationOf(rest);
        Cut cut = deviation > 0 ? scan.best(rest) : Cut();
        cut.deviations = deviation > 0 ? cut.deviations / deviation : 0;
        return cut;
    }

    /// The estimate for a single series is imprecise, so the estimate over all is used unless the series' own
    /// is significantly larger; if it is positive, a standard error is added, because underestimates cause
    /// false alarms.
    void settle(Candidate& candidate, std::span<const float> rest, double ofAll) const {
        constexpr double most = 0.95;
        const double error = 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(points, 1)));
        const double known = std::max(ofAll, candidate.depends - 2 * error);
        candidate.depends = std::clamp(known > error ? known + error : known, 0.0, most);
        const auto depends = static_cast<float>(candidate.depends);
        const std::vector<float> calm = withoutOutliers(rest);
        for (std::size_t at = 0; at < points; ++at) {
            candidate.news.push_back(at == 0 ? rest[0] * std::sqrt(1 - depends * depends)
                                             : rest[at] - depends * calm[at - 1]);
        }
    }

    std::vector<float> shuffled{};  ///< scratch for largest()
    std::vector<float> room{};
};

/// Search in a family, round by round: each round looks for one more cut per series; the clearest cuts of
/// permuted families give the significance threshold.
class FamilySearch {
  public:
    FamilySearch(std::span<const SeriesGroup> family, const ChangeOptions& asked) : options(asked) {
        for (const SeriesGroup& group : family) {
            groups.emplace_back(group, options);
        }
    }

    std::vector<std::vector<std::vector<ChangePoint>>> run() {
        for (std::size_t round = 0; round < maxRounds && searchOnce(round); ++round) {
        }
        std::vector<std::vector<std::vector<ChangePoint>>> all;
        for (GroupSearch& group : groups) {
            auto& found = all.emplace_back();
            for (Levels& each : group.levels) {
                place(each);
                found.push_back(std::move(each.found));
            }
        }
        return all;
    }

  private:
    /// Returns whether there is another cut.
    bool searchOnce(std::size_t round) {
        double clearest = 0;
        std::size_t cost = 0;
        for (GroupSearch& group : groups) {
            clearest = std::max(clearest, group.look());
            cost += group.cost();
        }
        if (clearest <= 0) {
            return false;
        }
        const std::vector<double> byChance = permuted(round, clearest, cost);
        return accept(byChance);
    }

    /// The clearest cut of the family in each of many orders of its points. Stops early if not even the
    /// clearest of the family can be significant.
    std::vector<double> permuted(std::size_t round, double clearest, std::size_t cost) {
        const auto needed = static_cast<std::size_t>(std::ceil(2 / options.alarmRate)) - 1;
        const std::size_t count =
            std::max(needed, std::min(options.permutations, options.work / std::max<std::size_t>(cost, 1)));
        std::vector<PointOrders> orders;
        std::seed_seq seeds{options.seed, static_cast<std::uint64_t>(round)};
        std::vector<std::uint32_t> drawn(2 * groups.size());
        seeds.generate(drawn.begin(), drawn.end());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            orders.emplace_back(groups[i].points, (std::uint64_t{drawn[2 * i]} << 32) | drawn[2 * i + 1]);
        }
        const auto tooMany = static_cast<std::size_t>(options.alarmRate * static_cast<double>(count + 1)) + 1;
        std::vector<double> maxima;
        std::size_t above = 0;
        while (maxima.size() < count && above < tooMany) {
            double best = 0;
            for (std::size_t i = 0; i < groups.size(); ++i) {
                best = std::max(best, groups[i].largest(orders[i].draw()));
            }
            maxima.push_back(best);
            above += best >= clearest ? 1 : 0;
        }
        return maxima;
    }

    bool accept(const std::vector<double>& byChance) {
        bool some = false;
        for (GroupSearch& group : groups) {
            for (std::size_t i = 0; i < group.levels.size(); ++i) {
                const Cut& cut = group.candidates[i].cut;
                const auto above =
                    std::ranges::count_if(byChance, [&](double each) { return each >= cut.deviations; });
                const double probability =
                    static_cast<double>(above + 1) / static_cast<double>(byChance.size() + 1);
                if (cut.deviations > 0 && probability <= options.alarmRate) {
                    some = true;
                    Levels& levels = group.levels[i];
                    levels.cuts = withCut(std::move(levels.cuts), cut, group.points);
                    for (const std::size_t at : {cut.from, cut.to}) {
                        if (at < group.points) {
                            levels.found.push_back({.at = at,
                                                    .earliest = at,
                                                    .latest = at,
                                                    .deviations = cut.deviations,
                                                    .probability = probability});
                        }
                    }
                }
            }
        }
        return some;
    }

    /// Moves each cut to the position that best separates the points between its neighbours, and computes the
    /// confidence set: all positions whose likelihood ratio is at most 7.35. Source: Eo and Morley,
    /// "Likelihood-ratio-based confidence sets for the timing of structural breaks", Quantitative Economics
    /// 2015.
    void place(Levels& levels) const {
        constexpr double ratioAt95 = 7.35;
        std::ranges::sort(levels.found, {}, &ChangePoint::at);
        for (std::size_t i = 0; i < levels.found.size(); ++i) {
            const std::size_t from = i == 0 ? 0 : levels.found[i - 1].at;
            const std::size_t to =
                i + 1 < levels.found.size() ? levels.found[i + 1].at : levels.series.size();
            const std::vector<double> errors = squaredErrors(levels, from, to);
            if (errors.empty()) {
                continue;  // only its own position is possible
            }
            const auto least = std::ranges::min_element(errors);
            const double variance = std::max(*least / static_cast<double>(to - from), 1e-12);
            ChangePoint& point = levels.found[i];
            point.at = from + options.minLevel + static_cast<std::size_t>(least - errors.begin());
            const auto isLikely = [&](double error) { return (error - *least) / variance <= ratioAt95; };
            const auto first = std::ranges::find_if(errors, isLikely);
            const auto last = std::ranges::find_last_if(errors, isLikely).begin();
            point.earliest = from + options.minLevel + static_cast<std::size_t>(first - errors.begin());
            point.latest = from + options.minLevel + static_cast<std::size_t>(last - errors.begin());
        }
    }

    /// Squared errors of the points from `from` to `to` around their two means, for a level change at each
    /// position that leaves levels of the minimum length on both sides.
    [[nodiscard]] std::vector<double> squaredErrors(const Levels& levels, std::size_t from,
                                                    std::size_t to) const {
        const std::vector<float> calm = withoutOutliers(residuals(levels, {}));
        std::vector<double> sums(to - from + 1);
        std::vector<double> squares(to - from + 1);
        for (std::size_t i = 0; i < to - from; ++i) {
            const auto value = static_cast<double>(calm[from + i] - calm[from]);
            sums[i + 1] = sums[i] + value;
            squares[i + 1] = squares[i] + value * value;
        }
        const auto error = [&](std::size_t first, std::size_t last) {
            const double sum = sums[last] - sums[first];
            return squares[last] - squares[first] - sum * sum / static_cast<double>(last - first);
        };
        std::vector<double> errors;
        for (std::size_t at = options.minLevel; at + options.minLevel <= to - from; ++at) {
            errors.push_back(error(0, at) + error(at, to - from));
        }
        return errors;
    }

    ChangeOptions options;
    std::vector<GroupSearch> groups;
};

}  // namespace

std::vector<std::vector<std::vector<ChangePoint>>> findChangePoints(std::span<const SeriesGroup> family,
                                                                    const ChangeOptions& options) {
    return FamilySearch(family, options).run();
}

}  // namespace et::inspector
