#include "visualizers/generate/generated_tokens.h"

#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

/// A token's text on one line, with whitespace made visible.
QString visibleText(const QString& text) {
    QString shown = text;
    shown.replace(u'\n', u'⏎');
    shown.replace(u'\t', u'⇥');
    return QStringLiteral("“%1”").arg(shown);
}

}  // namespace

void GeneratedTokens::clear() {
    all.clear();
    slowestTime = 0;
    const bool had = std::exchange(chosenToken, std::nullopt).has_value();
    emit cleared();
    if (had) {
        emit chosenChanged();
    }
}

void GeneratedTokens::add(ShownToken token) {
    all.push_back(std::move(token));
    if (isTimed(all.size() - 1)) {
        slowestTime = std::max(slowestTime, all.back().milliseconds);
    }
    emit added();
}

bool GeneratedTokens::isTimed(std::size_t token) const {
    return token > 0 && token < all.size() && all[token].generated && all[token - 1].generated &&
           all[token].milliseconds > 0;
}

double GeneratedTokens::medianTime() const {
    std::vector<double> times;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (isTimed(i)) {
            times.push_back(all[i].milliseconds);
        }
    }
    if (times.empty()) {
        return 0;
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

void GeneratedTokens::choose(std::optional<std::size_t> token) {
    if (token && *token >= all.size()) {
        token.reset();
    }
    if (token != chosenToken) {
        chosenToken = token;
        emit chosenChanged();
    }
}

void GeneratedTokens::selectAdjacent(int by) {
    if (all.empty()) {
        return;
    }
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    const std::ptrdiff_t next =
        chosenToken ? static_cast<std::ptrdiff_t>(*chosenToken) + by : std::ptrdiff_t{0};
    choose(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, last)));
}

std::optional<std::size_t> GeneratedTokens::at(std::size_t position) const {
    const auto found = std::ranges::lower_bound(all, position, {}, &ShownToken::position);
    if (found == all.end() || found->position != position) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - all.begin());
}

QString GeneratedTokens::describe(std::size_t token) const {
    const ShownToken& of = all[token];
    QStringList parts{of.text.isEmpty() ? QStringLiteral("no text yet") : visibleText(of.text),
                      QStringLiteral("token %1").arg(of.id), QStringLiteral("position %1").arg(of.position)};
    if (!of.generated) {
        parts.append(QStringLiteral("prompt"));
    } else if (of.milliseconds > 0) {
        const QString time = timeText(of.milliseconds, inspector::TimeScale::Milliseconds);
        parts.append(isTimed(token) ? time : QStringLiteral("%1 after the prompt").arg(time));
    }
    if (of.surprise) {
        parts.append(QStringLiteral("surprise %1 (probability %2 %)")
                         .arg(*of.surprise, 0, 'f', 2)
                         .arg(100 * std::exp(-*of.surprise), 0, 'g', 3));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace et::visualizers
