#include "app/studio/run/run_request.h"

#include <QFile>

namespace et::studio {

namespace {

void addOption(QStringList& argv, const char* name, const QString& value) {
    if (!value.isEmpty()) {
        argv.append(QStringLiteral("--%1=%2").arg(QLatin1String(name), value));
    }
}

void addNumber(QStringList& argv, const char* name, int value, int usual) {
    if (value != usual) {
        addOption(argv, name, QString::number(value));
    }
}

void addTrace(QStringList& argv, const RunRequest& request, const RunFiles& files) {
    addOption(argv, "etdump", QFile::decodeName(files.trace.c_str()));
    if (request.memory) {
        argv.append(QStringLiteral("--allocations"));
    }
    if (request.debugLevel.isEmpty() && request.taps.isEmpty()) {
        return;
    }
    addOption(argv, "debug-buffer", QFile::decodeName(files.debugBuffer.c_str()));
    addOption(argv, "debug-level", request.debugLevel);
    addOption(argv, "taps", request.taps);
}

}  // namespace

QStringList argumentsOf(const RunRequest& request, const RunFiles& files) {
    const bool runs = request.kind == RunRequest::Kind::Run;
    QStringList argv{runs ? QStringLiteral("run") : QStringLiteral("bench")};
    addOption(argv, "on", request.target);
    addOption(argv, "method", request.method);
    addOption(argv, "data", QFile::decodeName(request.tensorData.c_str()));
    addOption(argv, "etrecord", QFile::decodeName(request.record.c_str()));
    for (const QString& each : request.inputs) {
        addOption(argv, "input", each);
    }
    if (request.testCase) {
        addOption(argv, "case", QString::number(*request.testCase));
    }
    addNumber(argv, "seed", request.seed, 0);
    addNumber(argv, "threads", request.threads, 1);
    addOption(argv, "warmup", QString::number(request.warmup));
    addOption(argv, "iterations", QString::number(request.iterations));
    addNumber(argv, "timeout", request.timeoutSeconds, 0);
    if (runs && request.trace) {
        addTrace(argv, request, files);
    }
    argv.append(QStringLiteral("--sandbox=auto"));
    argv.append(QStringLiteral("--format=json"));
    if (runs) {
        addOption(argv, "output", QFile::decodeName(files.folder.c_str()));
    }
    return argv + QStringList{QStringLiteral("--"), QFile::decodeName(request.model.c_str())};
}

}  // namespace et::studio
