#include "app/studio/run/run_request.h"

#include "app/studio/option_fields.h"

#include <QFile>

#include <utility>

namespace et::studio {

namespace {

QStringList benchArguments(const tasks::RunSettings& settings) {
    tasks::BenchSettings bench{.files = {settings.program},
                               .model = settings.model,
                               .repetitions = settings.repetitions,
                               .threadCounts = {},
                               .methods = {},
                               .dims = {},
                               .promptTokens = {},
                               .generateTokens = {}};
    bench.model.record = settings.trace.record;
    if (!settings.model.method.empty()) {
        bench.methods = {settings.model.method};
    }
    return commandArguments("bench", tasks::argumentsOf(std::move(bench), &tasks::addBenchOptions),
                            {QStringLiteral("--format=json")});
}

}  // namespace

QStringList argumentsOf(const RunRequest& request, const RunFiles& files) {
    tasks::RunSettings settings = request.settings;
    if (request.kind == RunRequest::Kind::Bench) {
        return benchArguments(settings);
    }
    if (request.trace) {
        settings.trace.trace = files.trace.string();
    }
    if (request.hasValues()) {
        settings.trace.debugBuffer = files.debugBuffer.string();
    }
    return commandArguments("run", tasks::argumentsOf(std::move(settings), &tasks::addRunOptions),
                            {QStringLiteral("--format=json"),
                             QStringLiteral("--output=%1").arg(QFile::decodeName(files.folder.c_str()))});
}

}  // namespace et::studio
