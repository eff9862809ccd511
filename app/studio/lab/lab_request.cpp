#include "app/studio/lab/lab_request.h"

#include <QFile>

#include <algorithm>

namespace et::studio {

namespace {

/// Number of cases of each kind, so that all programs are compared on the same ones; the default of
/// `sensitivity`.
constexpr int labCases = 64;

QString labOption(const char* name, const QString& value) {
    return QStringLiteral("--%1=%2").arg(QLatin1String(name), value);
}

QString labPath(const std::filesystem::path& path) {
    return QFile::decodeName(path.c_str());
}

bool isQuantized(const etrecord::Node& node) {
    return node.op.starts_with("quantized_decomposed.") || node.op.starts_with("torchao.");
}

bool hasFloatGraph(const etrecord::Record& record) {
    return std::ranges::any_of(record.methods(), [&](const std::string& method) {
        const etrecord::ExportedGraph* const graph = record.edgeGraph(method);
        return graph != nullptr && !graph->nodes.empty() && std::ranges::none_of(graph->nodes, isQuantized);
    });
}

QStringList inputsOf(const LabRequest& request) {
    const auto& evaluation = request.evaluation.empty() ? request.calibration : request.evaluation;
    return {labOption("calibrate", labPath(request.calibration)), labOption("evaluate", labPath(evaluation)),
            labOption("cases", QString::number(labCases))};
}

}  // namespace

QString missingForLab(const inspector::Session* session) {
    if (session == nullptr || session->record == nullptr) {
        return QStringLiteral(
            "Open the ETRecord of a float model to measure the effect of quantizing each part.");
    }
    return hasFloatGraph(*session->record) ? QString()
                                           : QStringLiteral(
                                                 "The graph of the open ETRecord is already quantized. The "
                                                 "Lab needs the ETRecord of the float model.");
}

QStringList sensitivityArguments(const LabRequest& request) {
    return QStringList{QStringLiteral("sensitivity")} + inputsOf(request) +
           QStringList{QStringLiteral("--format=json"), QStringLiteral("--"), labPath(request.record)};
}

QStringList searchArguments(const LabRequest& request, int seconds) {
    return QStringList{QStringLiteral("optimize")} + inputsOf(request) +
           QStringList{labOption("seconds", QString::number(seconds)), QStringLiteral("--format=json"),
                       QStringLiteral("--"), labPath(request.record)};
}

QStringList programArguments(const LabRequest& request, const QStringList& schemes,
                             const std::filesystem::path& program, const std::filesystem::path& record,
                             bool recipe) {
    QStringList argv = QStringList{QStringLiteral("quantize")} + inputsOf(request);
    QStringList kept;
    QStringList named;
    for (const QString& each : schemes) {
        (each.contains(u'=') ? named : kept).append(each);
    }
    if (!kept.isEmpty()) {
        argv.append(labOption("keep", kept.join(u',')));
    }
    if (!named.isEmpty()) {
        argv.append(labOption("scheme-of", named.join(u',')));
    }
    argv += {labOption("output", labPath(program)), labOption("etrecord-out", labPath(record)),
             recipe ? QStringLiteral("--recipe") : QStringLiteral("--format=json")};
    return argv + QStringList{QStringLiteral("--"), labPath(request.record)};
}

QStringList timeArguments(const std::filesystem::path& program) {
    return {QStringLiteral("bench"), QStringLiteral("--format=json"), QStringLiteral("--"), labPath(program)};
}

}  // namespace et::studio
