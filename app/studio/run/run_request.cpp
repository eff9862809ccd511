#include "app/studio/run/run_request.h"

#include <QFile>
#include <QRegularExpression>

namespace et::studio {

namespace {

QString toQString(const std::filesystem::path& path) {
    return QFile::decodeName(path.c_str());
}

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
    addOption(argv, "etdump", toQString(files.trace));
    if (request.memory) {
        argv.append(QStringLiteral("--allocations"));
    }
    if (request.debugLevel.isEmpty() && request.taps.isEmpty()) {
        return;
    }
    addOption(argv, "debug-buffer", toQString(files.debugBuffer));
    addOption(argv, "debug-level", request.debugLevel);
    addOption(argv, "taps", request.taps);
}

}  // namespace

QStringList argumentsOf(const RunRequest& request, const RunFiles& files) {
    const bool runs = request.kind == RunRequest::Kind::Run;
    QStringList argv{runs ? QStringLiteral("run") : QStringLiteral("bench")};
    addOption(argv, "method", request.method);
    addOption(argv, "data", toQString(request.tensorData));
    addOption(argv, "etrecord", toQString(request.record));
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
    argv.append(QStringLiteral("--format=json"));
    if (runs) {
        addOption(argv, "output", toQString(files.folder));
    }
    return argv + QStringList{QStringLiteral("--"), toQString(request.model)};
}

QString shellText(const QStringList& argv) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=:,%+-]+$"));
    QStringList quoted;
    for (QString argument : argv) {
        const bool isPlain = plain.match(argument).hasMatch();
        quoted.append(isPlain ? argument
                              : QStringLiteral("'%1'").arg(
                                    argument.replace(QStringLiteral("'"), QStringLiteral("'\\''"))));
    }
    return quoted.join(u' ');
}

}  // namespace et::studio
