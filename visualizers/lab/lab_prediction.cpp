#include "visualizers/lab/lab_prediction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace et::visualizers {

namespace {

double timeOfCandidate(const std::vector<LabCandidate>& all, const LabChoice& choice, double otherwise) {
    const auto found = candidateOf(all, choice);
    return found ? all[*found].figures.milliseconds.value_or(otherwise) : otherwise;
}

/// Solves a symmetric positive definite system in place (Cholesky); `right` becomes the solution.
void solve(std::vector<std::vector<double>>& matrix, std::vector<double>& right) {
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k) {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
}

}  // namespace

LabPrediction::LabPrediction(const LabStudy& study, const std::vector<double>& shares,
                             const std::vector<LabCandidate>& measured)
    : sites(study), known(measured) {
    double sum = 0;
    for (const LabSite& site : sites.sites) {
        sum += site.only.value_or(0);
    }
    noiseScale = sum > 0 ? sites.all / sum : 1;
    fitTimes(shares);
    calibrateNoises();
    calibrateTimes();
}

bool LabPrediction::isKept(const LabChoice& choice, std::size_t site) const {
    return choice[site] == LabScheme::Float && sites.sites[site].canChoose();
}

// Fits site times to the measurements with minimal deviation from the shares: least squares with a penalty,
// one row per site.
void LabPrediction::fitTimes(const std::vector<double>& shares) {
    constexpr double penalty = 0.5;
    const double none = timeOfCandidate(known, sameChoice(sites, LabScheme::Static8), 0);
    const double all = timeOfCandidate(known, sameChoice(sites, LabScheme::Float), 0);
    const std::size_t count = sites.sites.size();
    if (none <= 0 || all <= 0) {
        return;
    }
    allTime = none;
    std::vector<double> part(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        part[i] = !sites.sites[i].canChoose() ? 0 : shares.size() == count ? std::max(shares[i], 0.0) : 1;
    }
    const double whole = std::accumulate(part.begin(), part.end(), 0.0);
    for (double& each : part) {
        each *= whole > 0 ? (all - none) / whole : 0;
    }
    std::vector<std::vector<double>> matrix(count, std::vector<double>(count, 0));
    std::vector<double> right(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        matrix[i][i] = penalty;
    }
    for (const LabCandidate& each : known) {
        if (!each.figures.milliseconds || !isStudied(each.choice)) {
            continue;
        }
        double missing = *each.figures.milliseconds - none;
        for (std::size_t i = 0; i < count; ++i) {
            missing -= isKept(each.choice, i) ? part[i] : 0;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!isKept(each.choice, i)) {
                continue;
            }
            right[i] += missing;
            for (std::size_t j = 0; j < count; ++j) {
                matrix[i][j] += isKept(each.choice, j) ? 1 : 0;
            }
        }
    }
    solve(matrix, right);
    std::ranges::transform(part, right, std::back_inserter(siteTimes), std::plus{});
}

template <class Studied, class Share>
LabPrediction::Parts LabPrediction::partsOf(std::optional<double> LabFigures::* figure, Studied studied,
                                            Share share) const {
    const auto others = [](const LabChoice& choice) {
        return std::ranges::count_if(choice, [](LabScheme each) { return !isStudied(each); });
    };
    std::vector<const LabCandidate*> programs;
    for (const LabCandidate& each : known) {
        if (each.figures.*figure && !isStudied(each.choice)) {
            programs.push_back(&each);
        }
    }
    std::ranges::stable_sort(programs, {}, [&](const LabCandidate* each) { return others(each->choice); });
    Parts parts;
    for (const LabCandidate* const each : programs) {
        double rest = *(each->figures.*figure) - studied(each->choice);
        double whole = 0;
        std::vector<std::size_t> unknown;
        for (std::size_t i = 0; i < each->choice.size(); ++i) {
            const LabScheme scheme = each->choice[i];
            if (isStudied(scheme)) {
                continue;
            }
            if (const auto part = parts.find({i, scheme}); part != parts.end()) {
                rest -= part->second;
            } else {
                unknown.push_back(i);
                whole += share(i);
            }
        }
        for (const std::size_t i : unknown) {
            const double part = whole > 0 ? share(i) / whole : 1 / static_cast<double>(unknown.size());
            parts.emplace(std::pair(i, each->choice[i]), part * rest);
        }
    }
    return parts;
}

void LabPrediction::calibrateNoises() {
    otherNoises = partsOf(
        &LabFigures::noise, [this](const LabChoice& choice) { return studiedNoise(choice); },
        [this](std::size_t site) { return sites.sites[site].only.value_or(0); });
    for (auto& [pair, noise] : otherNoises) {
        noise = std::max(noise, 0.0);
    }
}

void LabPrediction::calibrateTimes() {
    if (allTime) {
        otherTimes = partsOf(
            &LabFigures::milliseconds, [this](const LabChoice& choice) { return studiedTime(choice); },
            [](std::size_t) { return 1.0; });
    }
}

std::optional<double> LabPrediction::sumOf(const Parts& parts, const LabChoice& choice) {
    double sum = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
        const auto part = parts.find({i, choice[i]});
        if (!isStudied(choice[i]) && part == parts.end()) {
            return std::nullopt;
        }
        sum += isStudied(choice[i]) ? 0 : part->second;
    }
    return sum;
}

double LabPrediction::studiedNoise(const LabChoice& choice) const {
    double noise = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
        noise += choice[i] == LabScheme::Static8 ? sites.sites[i].only.value_or(0) : 0;
    }
    return noise * noiseScale;
}

double LabPrediction::studiedTime(const LabChoice& choice) const {
    double time = allTime.value_or(0);
    for (std::size_t i = 0; i < choice.size(); ++i) {
        time += choice[i] == LabScheme::Float ? siteTimes[i] : 0;
    }
    return time;
}

std::optional<double> LabPrediction::noiseOf(const LabChoice& choice) const {
    return sumOf(otherNoises, choice).transform([&](double others) { return studiedNoise(choice) + others; });
}

std::optional<double> LabPrediction::bytesOf(const LabChoice& choice) const {
    std::optional<double> nearest;
    std::optional<double> bytes;
    for (const LabCandidate& each : known) {
        double away = 0;
        double more = 0;
        for (std::size_t i = 0; i < choice.size(); ++i) {
            const LabSite& site = sites.sites[i];
            const double difference = site.bytesOfWeight(choice[i]) - site.bytesOfWeight(each.choice[i]);
            away += std::abs(difference);
            more += difference;
        }
        if (each.figures.bytes && (!nearest || away < *nearest)) {
            nearest = away;
            bytes = *each.figures.bytes + more;
        }
    }
    return bytes;
}

std::optional<double> LabPrediction::timeOf(const LabChoice& choice) const {
    const auto others = allTime ? sumOf(otherTimes, choice) : std::nullopt;
    return others.transform([&](double more) { return std::max(studiedTime(choice) + more, 0.0); });
}

LabFigures LabPrediction::of(const LabChoice& choice) const {
    return {.noise = noiseOf(choice), .bytes = bytesOf(choice), .milliseconds = timeOf(choice)};
}

}  // namespace et::visualizers
