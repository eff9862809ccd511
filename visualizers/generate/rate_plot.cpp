#include "visualizers/generate/rate_plot.h"

#include "visualizers/toolkit/text.h"

#include <QLocale>

#include <algorithm>
#include <string>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr double ratePoint = 2.5;
constexpr double rateSteps = 3;  // approximate number of grid lines
constexpr plot::Style rateStyle{.name = "rate", .fill = plot::Tone::Accent};
constexpr plot::Style chosenRateStyle{.name = "chosen", .stroke = plot::Tone::Accent, .width = 2};

QString rateText(double rate) {
    return QString::number(rate, rate < 100 ? 'f' : 'g', rate < 100 ? 1 : 4);
}

QString wholeRate(double rate) {
    return QLocale::c().toString(rate, 'f', rate < 10 ? 1 : 0);
}

}  // namespace

RatePlot::RatePlot(GeneratedTokens& shown, QWidget* parent) : PointPlot(parent), source(shown) {
    setAccessibleName(QStringLiteral("Tokens per second over positions"));
    connect(&source, &GeneratedTokens::cleared, this, &RatePlot::rebuild);
    connect(&source, &GeneratedTokens::added, this, &RatePlot::rebuild);
    connect(&source, &GeneratedTokens::chosenChanged, this, qOverload<>(&QWidget::update));
}

double RatePlot::rateOf(std::size_t token) const {
    constexpr double perSecond = 1000;
    return perSecond / source.tokens()[token].milliseconds;
}

/// Processes only the newest token if one was added.
void RatePlot::rebuild() {
    const std::size_t count = source.tokens().size();
    if (count == 0) {
        points.clear();
        fastest = 0;
    } else if (source.isTimed(count - 1)) {
        points.push_back(count - 1);
        fastest = std::max(fastest, rateOf(count - 1));
    }
    setAccessibleDescription(figures());
    update();
}

QString RatePlot::figures() const {
    // Means, as in the summary of the generation.
    const auto rateFrom = [this](std::size_t first) {
        double time = 0;
        for (std::size_t i = first; i < points.size(); ++i) {
            time += source.tokens()[points[i]].milliseconds;
        }
        return wholeRate(1000 * static_cast<double>(points.size() - first) / time);
    };
    return points.empty() ? QString()
                          : QStringLiteral("mean %1 tokens/s, %2 in the second half")
                                .arg(rateFrom(0), rateFrom(points.size() / 2));
}

std::optional<std::size_t> RatePlot::pointOf(std::size_t token) const {
    const auto found = std::ranges::find(points, token);
    return found == points.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - points.begin()));
}

std::optional<std::size_t> RatePlot::chosenPoint() const {
    return source.chosen() ? pointOf(*source.chosen()) : std::nullopt;
}

plot::Scene RatePlot::scene() const {
    plot::Scene scene;
    const plot::Frame frame = frameBetween(0, height());
    if (points.empty()) {
        scene.text({.x = width() / 2.0, .y = height() / 2.0}, "Tokens per second, shown during generation",
                   plot::faintStyle, plot::TextAnchor::Middle);
        return scene;
    }
    scene.text({.x = frame.area.x, .y = frame.area.y - 10},
               frame.fitted("tokens/s · " + figures().toStdString(), frame.area.width), plot::inkStyle);
    const auto positionOf = [this](std::size_t token) {
        return static_cast<double>(source.tokens()[token].position);
    };
    const plot::LinearAxis rates{.most = fastest};
    plot::LinearAxis positions{.least = positionOf(points.front())};
    positions.most = std::max(positionOf(points.back()), positions.least + 1);
    addGrid(scene, frame, true, valueTicks(rates, inspector::format::Measure::None, rateSteps));
    std::vector<plot::Tick> ticks = wholeTicks(positions);
    ticks.front().label.insert(0, "position ");
    addGrid(scene, frame, false, ticks);
    for (const std::size_t token : points) {
        const bool isChosen = token == source.chosen();
        const plot::Point at = frame.onScreen(
            {.x = positions.placeOf(positionOf(token)), .y = 1 - rates.placeOf(rateOf(token))});
        const double radius = isChosen ? ratePoint * 2 : ratePoint;
        scene.marks.push_back({.shape = plot::Circle{.centre = at, .radius = radius}, .style = rateStyle});
        scene.items.push_back({.at = at, .radius = radius});
        if (isChosen) {
            scene.line({.x = at.x, .y = frame.area.y}, {.x = at.x, .y = frame.bottom()}, chosenRateStyle);
        }
    }
    return scene;
}

QString RatePlot::tipAt(QPoint at) const {
    const auto item = itemAt(at);
    return item ? QStringLiteral("%1 tokens/s · %2")
                      .arg(rateText(rateOf(points[*item])), source.describe(points[*item]))
                : QString();
}

}  // namespace et::visualizers
