#include "app/output/roofline/roofline_picture.h"

#include "inspector/format/palette.h"
#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace et::output {
namespace {

using inspector::BandwidthRate;
using inspector::MachineProfile;
using inspector::RooflinePoint;
using inspector::format::Meaning;
using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

// In points.
constexpr double roofWidth = 960;
constexpr double roofHeight = 580;
constexpr double roofLeft = 80;
constexpr double roofTop = 56;
constexpr double roofPlotWidth = 800;
constexpr double roofPlotHeight = 440;

/// Styles of the two kinds of points, in the colours of kernels and delegates in all views.
std::string pointStyles() {
    std::string styles = ".roof{fill:none;stroke-width:1.8}.point{fill-opacity:.6;stroke-width:1}";
    std::string dark;
    for (const Meaning meaning : {Meaning::Kernel, Meaning::Delegate}) {
        const auto& traits = inspector::format::traitsOf(meaning);
        constexpr std::string_view rule = ".point.{0}{{fill:{1};stroke:{1}}}";
        styles += fmt::format(rule, traits.id, inspector::format::hexText(traits.light));
        dark += fmt::format(rule, traits.id, inspector::format::hexText(traits.dark));
    }
    return styles + "@media (prefers-color-scheme:dark){" + dark + "}";
}

/// The peak rate of a kind of arithmetic.
struct Roof {
    std::string_view name;
    double gigaops = 0;
};

std::vector<Roof> roofsOf(const MachineProfile& machine, std::size_t threads) {
    std::vector<Roof> roofs;
    for (const auto& traits : inspector::arithmetics) {
        if (const double peak = machine.peak(traits.arithmetic, threads); peak > 0) {
            roofs.push_back({traits.name, peak});
        }
    }
    return roofs;
}

class RooflinePlot {
  public:
    RooflinePlot(const std::vector<RooflinePoint>& of, const MachineProfile& on, std::size_t threads)
        : points(of), roofs(roofsOf(on, threads)), levels(on.levels(threads)) {
        for (const Roof& roof : roofs) {
            mostRate = std::max(mostRate, 2 * roof.gigaops);
        }
        for (const RooflinePoint& point : points) {
            if (point.hasPlace()) {
                leastIntensity = std::min(leastIntensity, point.intensity() / 2);
                mostIntensity = std::max(mostIntensity, point.intensity() * 2);
                leastRate = std::min(leastRate, point.gigaops() / 2);
                mostRate = std::max(mostRate, point.gigaops() * 2);
            }
        }
    }

    void draw(SvgPicture& picture) const {
        drawAxes(picture);
        drawRoofs(picture);
        // Draws small points in front, so that all can be pointed at.
        std::vector<const RooflinePoint*> order;
        for (const RooflinePoint& point : points) {
            if (point.hasPlace()) {
                order.push_back(&point);
            }
        }
        std::ranges::stable_sort(order, std::ranges::greater{}, &RooflinePoint::share);
        for (const RooflinePoint* point : order) {
            drawPoint(picture, *point);
        }
    }

  private:
    [[nodiscard]] double x(double intensity) const {
        return roofLeft + roofPlotWidth * std::log(intensity / leastIntensity) /
                              std::log(mostIntensity / leastIntensity);
    }
    [[nodiscard]] double y(double rate) const {
        return roofTop + roofPlotHeight * (1 - std::log(rate / leastRate) / std::log(mostRate / leastRate));
    }

    void drawAxes(SvgPicture& picture) const {
        const double bottom = roofTop + roofPlotHeight;
        for (double tick = std::pow(10, std::ceil(std::log10(leastIntensity))); tick <= mostIntensity;
             tick *= 10) {
            picture.line(x(tick), roofTop, x(tick), bottom, "grid");
            picture.text(x(tick), bottom + 18, fmt::format("{:g}", tick), "faint", TextAnchor::Middle);
        }
        for (double tick = std::pow(10, std::ceil(std::log10(leastRate))); tick <= mostRate; tick *= 10) {
            picture.line(roofLeft, y(tick), roofLeft + roofPlotWidth, y(tick), "grid");
            picture.text(roofLeft - 6, y(tick) + 4, fmt::format("{:g}", tick), "faint", TextAnchor::End);
        }
        picture.text(roofLeft + roofPlotWidth / 2, bottom + 40, "operations per byte", "faint",
                     TextAnchor::Middle);
        picture.text(roofLeft - 6, roofTop - 10, "GFLOP/s", "faint", TextAnchor::End);
    }

    void drawRoofs(SvgPicture& picture) const {
        double most = 0;
        for (const Roof& roof : roofs) {
            picture.line(roofLeft, y(roof.gigaops), roofLeft + roofPlotWidth, y(roof.gigaops), "rule");
            picture.text(roofLeft + roofPlotWidth, y(roof.gigaops) - 4,
                         fmt::format("{} {:.0f} GFLOP/s", roof.name, roof.gigaops), "ink", TextAnchor::End);
            most = std::max(most, roof.gigaops);
        }
        double last = -1;
        for (const BandwidthRate& level : levels) {
            const double rate = level.best();
            // From the left or bottom edge to the highest roof.
            const double from = std::max(leastIntensity, leastRate / rate);
            const double to = std::min(mostIntensity, most / rate);
            if (from >= to) {
                continue;
            }
            picture.line(x(from), y(from * rate), x(to), y(to * rate), "rule");
            // Labels of coinciding lines are moved apart.
            const double at = y(from * rate);
            const double free = last >= 0 ? std::max(at, last + 14) : at;
            picture.text(x(from) + 6, free - 6, fmt::format("{} {:.0f} GB/s", level.level, rate), "ink");
            last = free;
        }
    }

    void drawPoint(SvgPicture& picture, const RooflinePoint& point) const {
        constexpr double least = 3;
        constexpr double most = 16;
        const double radius = least + (most - least) * std::sqrt(std::clamp(point.share, 0.0, 1.0));
        std::string title =
            fmt::format("{}\n{:.2f} GFLOP/s at {:.3g} operations per byte, {}", point.name, point.gigaops(),
                        point.intensity(), inspector::format::readablePercent(point.share));
        if (point.efficiency) {
            title += fmt::format(" of the time\n{} of the machine's limit, bound by {}",
                                 inspector::format::readablePercent(*point.efficiency), point.boundBy);
        }
        picture.begin("operator", title, fmt::format("data-e=\"{}\"", point.row));
        picture.path(
            fmt::format("M{:.1f} {:.1f}a{r:.1f} {r:.1f} 0 1 0 {d:.1f} 0a{r:.1f} {r:.1f} 0 1 0 -{d:.1f} 0z",
                        x(point.intensity()) - radius, y(point.gigaops()), fmt::arg("r", radius),
                        fmt::arg("d", 2 * radius)),
            fmt::format(
                "point {}",
                inspector::format::traitsOf(point.delegated ? Meaning::Delegate : Meaning::Kernel).id));
        picture.end();
    }

    const std::vector<RooflinePoint>& points;
    std::vector<Roof> roofs;
    std::vector<BandwidthRate> levels;
    double leastIntensity = 0.05;
    double mostIntensity = 100;
    double leastRate = 1;
    double mostRate = 10;
};

}  // namespace

std::string rooflinePicture(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                            std::size_t threads) {
    SvgPicture picture(roofWidth, roofHeight, pointStyles());
    const auto shown = static_cast<std::size_t>(std::ranges::count_if(points, &RooflinePoint::hasPlace));
    picture.text(roofLeft, 24,
                 fmt::format("{} operators below the limits of {} with {} thread{}", shown,
                             machine.machine.cpu, threads, threads == 1 ? "" : "s"),
                 "ink");
    const std::string kernel = fmt::format("point {}", inspector::format::traitsOf(Meaning::Kernel).id);
    const std::string delegate = fmt::format("point {}", inspector::format::traitsOf(Meaning::Delegate).id);
    const double legend = roofTop + roofPlotHeight + 60;
    picture.rect({roofLeft, legend, 10, 10}, kernel);
    picture.text(roofLeft + 16, legend + 9, "kernels of the runtime", "faint");
    picture.rect({roofLeft + 190, legend, 10, 10}, delegate);
    picture.text(roofLeft + 206, legend + 9, "operators of delegates", "faint");
    if (shown < points.size()) {
        picture.text(roofLeft + roofPlotWidth, legend + 9,
                     fmt::format("{} without operations are not shown", points.size() - shown), "faint",
                     TextAnchor::End);
    }
    RooflinePlot(points, machine, threads).draw(picture);
    return std::move(picture).finish();
}

inspector::format::Dict rooflineInfo(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                                     std::size_t threads) {
    using inspector::format::Dict;
    using inspector::format::optionalCell;
    inspector::format::List list;
    for (const RooflinePoint& point : points) {
        list.emplace_back(Dict{{"name", point.name},
                               {"delegated", point.delegated},
                               {"flops", point.operations},
                               {"bytes", point.bytes},
                               {"seconds", point.seconds},
                               {"share", point.share},
                               {"efficiency", optionalCell(point.efficiency)},
                               {"bound_by", point.boundBy}});
    }
    return {{"schema", std::int64_t{1}},
            {"threads", std::uint64_t{threads}},
            {"machine", inspector::profileInfo(machine)},
            {"operators", std::move(list)}};
}

}  // namespace et::output
