#include "app/tasks/lab/optimize_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace et::tasks {
namespace {

bool isNotSlower(const OptimizePoint& left, const OptimizePoint& right) {
    constexpr double same = 1.02;
    return !left.nanoseconds || !right.nanoseconds || *left.nanoseconds <= same * *right.nanoseconds;
}

/// True if the left point dominates the right one.
bool dominates(const OptimizePoint& left, const OptimizePoint& right, bool withTime) {
    const bool isAsGood = left.noise <= right.noise && left.bytes <= right.bytes;
    const bool isBetter = left.noise < right.noise || left.bytes < right.bytes;
    return isAsGood && isBetter && (!withTime || isNotSlower(left, right));
}

/// Of several equal points, only the first is on the front.
bool isOnFront(const OptimizePoint& point, std::span<const OptimizePoint> points, bool withTime) {
    return std::ranges::none_of(points, [&](const OptimizePoint& other) {
        const bool isEqual = other.noise == point.noise && other.bytes == point.bytes;
        return dominates(other, point, withTime) ||
               (isEqual && &other < &point && (!withTime || isNotSlower(other, point)));
    });
}

/// Returns at most `most` elements of a list, including both ends.
std::vector<std::size_t> spread(const std::vector<std::size_t>& list, std::size_t most) {
    if (list.size() <= most) {
        return list;
    }
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < most; ++i) {
        some.push_back(list[i * (list.size() - 1) / (most - 1)]);
    }
    return some;
}

bool isWithin(const OptimizePoint& point, const OptimizeBudget& budget) {
    switch (budget.kind) {
        case OptimizeBudget::Kind::Time:
            return point.nanoseconds && *point.nanoseconds <= budget.limit;
        case OptimizeBudget::Kind::Bytes:
            return static_cast<double>(point.bytes) <= budget.limit;
        case OptimizeBudget::Kind::Sqnr:
            return !point.decibels() || *point.decibels() >= budget.limit;
        case OptimizeBudget::Kind::None:
            break;
    }
    return false;
}

}  // namespace

std::optional<double> OptimizePoint::decibels() const {
    constexpr double perDecade = 10;
    if (!isFinite()) {
        return -std::numeric_limits<double>::infinity();
    }
    return noise > 0 ? std::optional(-perDecade * std::log10(noise)) : std::nullopt;
}

double OptimizePoint::error() const {
    return isFinite() ? std::sqrt(noise) : std::numeric_limits<double>::infinity();
}

std::size_t OptimizePoint::count() const {
    return static_cast<std::size_t>(std::ranges::count(schemes, SiteScheme()));
}

bool OptimizePoint::isStatic() const {
    return std::ranges::all_of(schemes, [](const SiteScheme& each) {
        return !each || each->kind == backends::xnnpack::SchemeKind::Static8;
    });
}

void markFront(std::span<OptimizePoint> points) {
    for (OptimizePoint& point : points) {
        point.onFront = isOnFront(point, points, true);
    }
}

std::vector<std::size_t> pointsToTime(std::span<const OptimizePoint> points, std::size_t most) {
    std::vector<std::size_t> chosen;
    const auto others = static_cast<std::size_t>(
        std::ranges::count_if(points, [](const OptimizePoint& each) { return !each.isStatic(); }));
    for (const bool isStatic : {true, false}) {
        std::vector<OptimizePoint> alike;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (points[i].isStatic() == isStatic) {
                alike.push_back(points[i]);
                places.push_back(i);
            }
        }
        std::vector<std::size_t> front;
        for (std::size_t i = 0; i < alike.size(); ++i) {
            if (isOnFront(alike[i], alike, false)) {
                front.push_back(places[i]);
            }
        }
        std::ranges::stable_sort(front, {}, [&](std::size_t i) { return points[i].bytes; });
        std::ranges::copy(spread(front, others == 0 ? most : most / 2), std::back_inserter(chosen));
    }
    return chosen;
}

std::vector<std::size_t> pointsWithin(std::span<const OptimizePoint> points, const OptimizeBudget& budget) {
    std::vector<std::size_t> within;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (isWithin(points[i], budget)) {
            within.push_back(i);
        }
    }
    std::ranges::stable_sort(within, {}, [&](std::size_t i) {
        const auto bytes = static_cast<double>(points[i].bytes);
        return budget.kind == OptimizeBudget::Kind::Sqnr ? std::pair(bytes, points[i].noise)
                                                         : std::pair(points[i].noise, bytes);
    });
    const auto isStatic = [&](std::size_t i) { return points[i].isStatic(); };
    const auto plain = std::ranges::find_if(within, isStatic);
    if (budget.kind == OptimizeBudget::Kind::Sqnr && plain != within.end() && points[*plain].nanoseconds) {
        const OptimizePoint best = points[*plain];
        std::ranges::stable_partition(within, [&](std::size_t i) {
            return points[i].isStatic() || (points[i].nanoseconds && isNotSlower(points[i], best));
        });
    }
    return within;
}

}  // namespace et::tasks
