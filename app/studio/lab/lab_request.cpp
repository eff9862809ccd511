#include "app/studio/lab/lab_request.h"

#include "app/studio/option_fields.h"
#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/sensitivity_run.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

bool isQuantized(const etrecord::Node& node) {
    return node.op.starts_with("quantized_decomposed.") || node.op.starts_with("torchao.");
}

bool hasFloatGraph(const etrecord::Record& record) {
    return std::ranges::any_of(record.methods(), [&](const std::string& method) {
        const etrecord::ExportedGraph* const graph = record.edgeGraph(method);
        return graph != nullptr && !graph->nodes.empty() && std::ranges::none_of(graph->nodes, isQuantized);
    });
}

/// Uses the same number of cases for all settings, so that all programs are compared on the same ones.
void setInputs(const LabRequest& request, auto& settings) {
    settings.record = request.record;
    settings.calibration = request.calibration;
    settings.evaluation = request.evaluation.empty() ? request.calibration : request.evaluation;
    settings.maxCases = tasks::SensitivitySettings().maxCases;
}

}  // namespace

QString missingForLab(const inspector::Session* session) {
    if (session == nullptr || session->record == nullptr) {
        return QStringLiteral(
            "Open the ETRecord of a float model to measure the effect of quantizing each part.");
    }
    return hasFloatGraph(*session->record) ? QString()
                                           : QStringLiteral(
                                                 "The graph of the open ETRecord is already quantized. "
                                                 "Quantizing needs the ETRecord of the float model.");
}

QStringList sensitivityArguments(const LabRequest& request) {
    tasks::SensitivitySettings settings;
    setInputs(request, settings);
    return commandArguments("sensitivity", tasks::argumentsOf(settings, &tasks::addSensitivityOptions),
                            {QStringLiteral("--format=json")});
}

QStringList searchArguments(const LabRequest& request, int seconds, const tasks::OptimizeBudget& budget) {
    tasks::OptimizeSettings settings;
    setInputs(request, settings.what);
    settings.seconds = seconds;
    settings.budget = budget;
    return commandArguments("optimize", tasks::argumentsOf(std::move(settings), &tasks::addOptimizeOptions),
                            {QStringLiteral("--format=json")});
}

QStringList programArguments(const LabRequest& request, const QStringList& schemes,
                             const std::filesystem::path& program, const std::filesystem::path& record,
                             bool recipe) {
    tasks::QuantizeSettings settings;
    setInputs(request, settings);
    settings.output = program;
    settings.recordOutput = record;
    tasks::OptionList options;
    tasks::addQuantizeOptions(options, settings);
    for (const QString& each : schemes) {
        // The lab only has known schemes.
        static_cast<void>(
            options.at(each.contains(u'=') ? "--scheme-of" : "--keep").store(each.toStdString()));
    }
    return commandArguments("quantize", tasks::argumentsOf(std::move(settings), &tasks::addQuantizeOptions),
                            {recipe ? QStringLiteral("--recipe") : QStringLiteral("--format=json")});
}

QStringList timeArguments(const std::filesystem::path& program) {
    return {QStringLiteral("bench"), QStringLiteral("--format=json"), QStringLiteral("--"),
            QFile::decodeName(program.c_str())};
}

}  // namespace et::studio
