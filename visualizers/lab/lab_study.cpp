#include "visualizers/lab/lab_study.h"

#include "visualizers/toolkit/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace et::visualizers {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

constexpr int labSchema = 1;
constexpr qsizetype mostLabSites = 100'000;
constexpr double decibelsPerDecade = 10;
constexpr double sameTime = 1.02;

QString labText(const QJsonObject& object, const char* key) {
    return toQString(object.value(QLatin1String(key)).toString().toStdString());
}

Result<QJsonObject> parseDocument(const QByteArray& json, const char* list) {
    QJsonObject object = QJsonDocument::fromJson(json).object();
    if (object.value(QLatin1String("schema")).toInt() != labSchema) {
        return fail(ErrorCode::Format, "schema: expected 1");
    }
    const QJsonValue found = object.value(QLatin1String(list));
    if (!found.isArray() || found.toArray().size() > mostLabSites) {
        return fail(ErrorCode::Format, std::string(list) + ": expected a list");
    }
    return object;
}

/// Noise of `sqnr_db`, where null means equal outputs, and text outputs that are not finite.
double noiseOf(const QJsonObject& closeness) {
    const QJsonValue decibels = closeness.value(QLatin1String("sqnr_db"));
    if (decibels.isString()) {
        return labNonFiniteNoise;
    }
    return decibels.isDouble() ? std::pow(decibelsPerDecade, -decibels.toDouble() / decibelsPerDecade) : 0;
}

std::optional<double> noiseAt(const QJsonObject& site, const char* key) {
    const QJsonValue closeness = site.value(QLatin1String(key));
    return closeness.isObject() ? std::optional(noiseOf(closeness.toObject())) : std::nullopt;
}

std::optional<double> labNumber(const QJsonValue& value) {
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

/// Older studies do not list schemes other than static scales.
std::vector<LabScheme> schemesOf(const LabSite& site, const QJsonArray& names) {
    std::vector<LabScheme> schemes;
    for (const LabScheme each : labSchemes) {
        if (each == LabScheme::Float ||
            (site.canChoose() && (isStudied(each) || names.contains(labSchemeName(each))))) {
            schemes.push_back(each);
        }
    }
    return schemes;
}

LabSite labSite(const QJsonObject& object) {
    LabSite site{.name = labText(object, "site"),
                 .op = labText(object, "op"),
                 .module = labText(object, "module"),
                 .line = labText(object, "line")};
    for (const QJsonValue node : object.value(QLatin1String("nodes")).toArray()) {
        site.nodes.push_back(node.toString().toStdString());
    }
    site.rule = labText(object, "rule");
    site.weightBytes = object.value(QLatin1String("weight_bytes")).toDouble();
    site.only = noiseAt(object, "only");
    site.weight = noiseAt(object, "only_weights");
    site.activations = noiseAt(object, "only_activations");
    site.allBut = noiseAt(object, "all_but");
    site.cause = labText(object, "cause");
    site.schemes = schemesOf(site, object.value(QLatin1String("schemes")).toArray());
    return site;
}

/// True if `one` is at least as good as `other` in all figures known for both, and better in one.
bool isBetter(const LabFigures& one, const LabFigures& other) {
    bool better = false;
    const auto compare = [&](const std::optional<double>& mine, const std::optional<double>& its,
                             double slack) {
        if (!mine || !its) {
            return true;
        }
        better = better || *mine * slack < *its;
        return *mine <= *its * slack;
    };
    return compare(one.noise, other.noise, 1) && compare(one.bytes, other.bytes, 1) &&
           compare(one.milliseconds, other.milliseconds, sameTime) && better;
}

void sayFront(std::vector<LabCandidate>& all) {
    for (LabCandidate& each : all) {
        each.onFront = std::ranges::none_of(
            all, [&](const LabCandidate& other) { return isBetter(other.figures, each.figures); });
    }
}

void takeFigures(LabFigures& into, const LabFigures& more) {
    into.noise = more.noise ? more.noise : into.noise;
    into.bytes = more.bytes ? more.bytes : into.bytes;
    into.milliseconds = more.milliseconds ? more.milliseconds : into.milliseconds;
}

/// Reads the choice of a point; `list` names the list of points in errors.
Result<LabChoice> choiceOfPoint(const QJsonObject& point, const LabStudy& study, const char* list) {
    LabChoice choice(study.sites.size(), LabScheme::Static8);
    const auto take = [&](const QString& name, const std::optional<LabScheme>& scheme,
                          const char* key) -> Result<> {
        const auto site = std::ranges::find(study.sites, name, &LabSite::name);
        if (site == study.sites.end() || !scheme) {
            return fail(ErrorCode::Format, std::string(list) + ": " + key +
                                               ": expected sites of the study and their schemes, got \"" +
                                               name.toStdString() + "\"");
        }
        choice[static_cast<std::size_t>(site - study.sites.begin())] = *scheme;
        return {};
    };
    const QJsonObject schemes = point.value(QLatin1String("schemes")).toObject();
    for (auto each = schemes.begin(); each != schemes.end(); ++each) {
        ET_TRY(take(toQString(each.key().toStdString()), parseLabScheme(each.value().toString()), "schemes"));
    }
    for (const QJsonValue name : point.value(QLatin1String("in_float")).toArray()) {
        ET_TRY(take(toQString(name.toString().toStdString()), LabScheme::Float, "in_float"));
    }
    return choice;
}

/// Writes the format that choiceOfPoint() reads, with the figures.
QJsonObject pointInfo(const LabStudy& study, const LabCandidate& candidate) {
    QJsonArray inFloat;
    QJsonObject schemes;
    for (std::size_t i = 0; i < study.sites.size(); ++i) {
        if (candidate.choice[i] == LabScheme::Float) {
            inFloat.append(study.sites[i].name);
        } else if (candidate.choice[i] != LabScheme::Static8) {
            schemes.insert(study.sites[i].name, labSchemeName(candidate.choice[i]));
        }
    }
    const LabFigures& figures = candidate.figures;
    const double noise = figures.noise.value_or(0);
    const QJsonValue decibels = noise >= labNonFiniteNoise ? QJsonValue(QStringLiteral("-inf"))
                                : noise > 0 ? QJsonValue(-decibelsPerDecade * std::log10(noise))
                                            : QJsonValue();
    const auto orNull = [](const std::optional<double>& number) {
        return number ? QJsonValue(*number) : QJsonValue();
    };
    QJsonObject info{{QStringLiteral("in_float"), inFloat},
                     {QStringLiteral("sqnr_db"), decibels},
                     {QStringLiteral("bytes"), orNull(figures.bytes)},
                     {QStringLiteral("time_ms"), orNull(figures.milliseconds)}};
    if (!schemes.isEmpty()) {
        info.insert(QStringLiteral("schemes"), schemes);
    }
    return info;
}

}  // namespace

QString labSchemeName(LabScheme scheme) {
    switch (scheme) {
        case LabScheme::Static8:
            return QStringLiteral("w8a8-static");
        case LabScheme::Float:
            return QStringLiteral("float");
        case LabScheme::Dynamic8:
            return QStringLiteral("w8a8-dynamic");
        case LabScheme::Weights8:
            return QStringLiteral("w8");
        case LabScheme::Dynamic4:
            return QStringLiteral("w4a8-dynamic:32");
        case LabScheme::Half:
            break;
    }
    return QStringLiteral("fp16");
}

std::optional<LabScheme> parseLabScheme(const QString& name) {
    const auto* const found = std::ranges::find(labSchemes, name, labSchemeName);
    return found == labSchemes.end() ? std::nullopt : std::optional(*found);
}

bool isStudied(const LabChoice& choice) {
    return std::ranges::all_of(choice, [](LabScheme each) { return isStudied(each); });
}

bool LabSite::takes(LabScheme scheme) const {
    return std::ranges::contains(schemes, scheme);
}

double LabSite::bytesOfWeight(LabScheme scheme) const {
    constexpr double ofInt8 = 0.25;
    constexpr double ofHalf = 0.5;
    constexpr double ofFourBits = 0.125 + 2.0 / (32 * 4);  // plus a two-byte scale per 32 elements
    switch (scheme) {
        case LabScheme::Float:
            return weightBytes;
        case LabScheme::Dynamic4:
            return ofFourBits * weightBytes;
        case LabScheme::Half:
            return op == QLatin1String("conv") ? weightBytes : ofHalf * weightBytes;
        default:
            return ofInt8 * weightBytes;
    }
}

Result<LabStudy> readLabStudy(const QByteArray& json) {
    ET_ASSIGN(const QJsonObject object, parseDocument(json, "sites"));
    const QJsonValue all = object.value(QLatin1String("all_quantized"));
    if (!all.isObject()) {
        return fail(ErrorCode::Format, "all_quantized: expected an object");
    }
    LabStudy study{.method = labText(object, "method"),
                   .calibrationCases = object.value(QLatin1String("calibration_cases")).toInteger(),
                   .evaluationCases = object.value(QLatin1String("evaluation_cases")).toInteger(),
                   .all = noiseOf(all.toObject())};
    for (const QJsonValue site : object.value(QLatin1String("sites")).toArray()) {
        study.sites.push_back(labSite(site.toObject()));
    }
    study.json = json;
    return study;
}

Result<std::vector<LabCandidate>> readLabCandidates(const QByteArray& json, const LabStudy& study) {
    ET_ASSIGN(const QJsonObject object, parseDocument(json, "points"));
    std::vector<LabCandidate> candidates;
    for (const char* const list : {"points", "other_schemes"}) {
        const QJsonArray points = object.value(QLatin1String(list)).toArray();
        for (const QJsonValue value : points) {
            const QJsonObject point = value.toObject();
            ET_ASSIGN(LabChoice choice, choiceOfPoint(point, study, list));
            candidates.push_back(
                {.choice = std::move(choice),
                 .figures = {.noise = noiseOf(point),
                             .bytes = labNumber(point.value(QLatin1String("bytes"))),
                             .milliseconds = labNumber(point.value(QLatin1String("time_ms")))}});
        }
    }
    return candidates;
}

QByteArray labCandidatesJson(const LabStudy& study, const std::vector<LabCandidate>& candidates) {
    QJsonArray points;
    QJsonArray others;
    for (const LabCandidate& each : candidates) {
        if (each.figures.noise) {
            (isStudied(each.choice) ? points : others).append(pointInfo(study, each));
        }
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("schema"), labSchema},
                                     {QStringLiteral("points"), points},
                                     {QStringLiteral("other_schemes"), others}})
        .toJson(QJsonDocument::Compact);
}

Result<LabFigures> readLabProgram(const QByteArray& json) {
    ET_ASSIGN(const QJsonObject object, parseDocument(json, "sites"));
    const QJsonValue outputs = object.value(QLatin1String("outputs"));
    const auto bytes =
        labNumber(object.value(QLatin1String("lowered")).toObject().value(QLatin1String("program_bytes")));
    if (!outputs.isObject() || !bytes) {
        return fail(ErrorCode::Format, "outputs, lowered.program_bytes: expected an object and a number");
    }
    return LabFigures{.noise = noiseOf(outputs.toObject()), .bytes = bytes};
}

Result<double> readLabTime(const QByteArray& json) {
    ET_ASSIGN(const QJsonObject object, parseDocument(json, "models"));
    const auto median = labNumber(object.value(QLatin1String("models"))
                                      .toArray()
                                      .first()
                                      .toObject()
                                      .value(QLatin1String("time_ms"))
                                      .toObject()
                                      .value(QLatin1String("p50")));
    return median ? Result<double>(*median)
                  : fail(ErrorCode::Format, "models[0].time_ms.p50: expected a number");
}

LabChoice sameChoice(const LabStudy& study, LabScheme scheme) {
    LabChoice choice;
    for (const LabSite& site : study.sites) {
        choice.push_back(site.takes(scheme) ? scheme : LabScheme::Float);
    }
    return choice;
}

QStringList keptSites(const LabStudy& study, const LabChoice& choice) {
    QStringList names;
    for (std::size_t i = 0; i < study.sites.size(); ++i) {
        if (choice[i] == LabScheme::Float && study.sites[i].canChoose()) {
            names.append(study.sites[i].name);
        }
    }
    return names;
}

QStringList schemeEntries(const LabStudy& study, const LabChoice& choice) {
    QStringList entries;
    for (std::size_t i = 0; i < study.sites.size(); ++i) {
        const LabSite& site = study.sites[i];
        if (site.canChoose() && choice[i] != LabScheme::Static8) {
            entries.append(choice[i] == LabScheme::Float
                               ? site.name
                               : QStringLiteral("%1=%2").arg(site.name, labSchemeName(choice[i])));
        }
    }
    return entries;
}

LabChoice choiceOfEntries(const LabStudy& study, const QStringList& entries) {
    std::map<QString, LabScheme> schemes;
    for (const QString& entry : entries) {
        const QString name = entry.section(u'=', 0, 0);
        const bool inFloat = name.size() == entry.size();
        if (const auto scheme =
                inFloat ? std::optional(LabScheme::Float) : parseLabScheme(entry.section(u'=', 1))) {
            schemes.insert_or_assign(name, *scheme);
        }
    }
    LabChoice choice = sameChoice(study, LabScheme::Static8);
    for (std::size_t i = 0; i < choice.size(); ++i) {
        const auto found = schemes.find(study.sites[i].name);
        if (found != schemes.end() && study.sites[i].takes(found->second)) {
            choice[i] = found->second;
        }
    }
    return choice;
}

void addCandidates(std::vector<LabCandidate>& all, const std::vector<LabCandidate>& more) {
    for (const LabCandidate& each : more) {
        if (const auto known = candidateOf(all, each.choice)) {
            takeFigures(all[*known].figures, each.figures);
        } else {
            all.push_back(each);
        }
    }
    sayFront(all);
}

std::optional<std::size_t> candidateOf(const std::vector<LabCandidate>& all, const LabChoice& choice) {
    const auto found = std::ranges::find(all, choice, &LabCandidate::choice);
    return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

}  // namespace et::visualizers
