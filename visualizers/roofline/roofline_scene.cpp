#include "visualizers/roofline/roofline_scene.h"

#include "inspector/events/readable_name.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace et::visualizers {

using inspector::RooflinePoint;

namespace {

constexpr double roomAround = 2;  // margin factor beyond the extremes

double logPlace(double value, double least, double most) {
    return std::log(value / least) / std::log(most / least);
}

double logValue(double place, double least, double most) {
    return least * std::pow(most / least, place);
}

}  // namespace

RooflineScene::RooflineScene(SessionPointer opened, const inspector::events::EventLimits& limits,
                             inspector::MachineProfile machine, std::size_t threads)
    : session(std::move(opened)), profile(std::move(machine)), usedThreads(threads) {
    for (RooflinePoint& point : inspector::rooflinePoints(*session->blocks, limits)) {
        if (point.hasPlace()) {
            const inspector::Block& block = session->blocks->blocks()[point.block];
            point.name = inspector::events::readableName(block, block.events[point.event]);
            widen(point.intensity(), point.gigaops());
            shown.push_back(std::move(point));
        } else {
            ++unplaced;
        }
    }
    std::ranges::stable_sort(shown, std::ranges::greater{}, &RooflinePoint::share);
    addRoofs();
}

void RooflineScene::addRoofs() {
    for (const auto& traits : inspector::arithmetics) {
        if (const double peak = profile.peak(traits.arithmetic, usedThreads); peak > 0) {
            lines.push_back({.name = std::string(traits.name), .gigaops = peak});
            mostRate = std::max(mostRate, roomAround * peak);
        }
    }
    for (const inspector::BandwidthRate& level : profile.levels(usedThreads)) {
        lines.push_back({.name = level.level, .gigabytes = level.best()});
    }
}

void RooflineScene::widen(double intensity, double rate) {
    leastIntensity = std::min(leastIntensity, intensity / roomAround);
    mostIntensity = std::max(mostIntensity, intensity * roomAround);
    leastRate = std::min(leastRate, rate / roomAround);
    mostRate = std::max(mostRate, rate * roomAround);
}

double RooflineScene::highest() const {
    double most = 0;
    for (const Roof& roof : lines) {
        most = std::max(most, roof.gigaops);
    }
    return most;
}

QPointF RooflineScene::placeOf(const RooflinePoint& point) const {
    return {placeOfIntensity(point.intensity()), placeOfRate(point.gigaops())};
}

double RooflineScene::placeOfIntensity(double intensity) const {
    return logPlace(intensity, leastIntensity, mostIntensity);
}

double RooflineScene::placeOfRate(double gigaops) const {
    return 1 - logPlace(gigaops, leastRate, mostRate);
}

double RooflineScene::intensityAt(double place) const {
    return logValue(place, leastIntensity, mostIntensity);
}

double RooflineScene::rateAt(double place) const {
    return logValue(1 - place, leastRate, mostRate);
}

std::optional<std::size_t> RooflineScene::pointOf(const std::optional<EventRef>& event) const {
    const auto found = std::ranges::find_if(shown, [&](const RooflinePoint& point) {
        return event && point.block == event->block && point.event == event->event;
    });
    return found == shown.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - shown.begin()));
}

EventRef RooflineScene::eventOf(std::size_t point) const {
    return {.block = shown[point].block, .event = shown[point].event};
}

}  // namespace et::visualizers
