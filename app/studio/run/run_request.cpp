#include "app/studio/run/run_request.h"

#include <QFile>
#include <QRegularExpression>

namespace et::studio {

namespace {

QString toQString(const std::filesystem::path& path) {
    return QFile::decodeName(path.c_str());
}

void addOption(QStringList& words, const char* name, const QString& value) {
    if (!value.isEmpty()) {
        words.append(QStringLiteral("--%1=%2").arg(QLatin1String(name), value));
    }
}

void addNumber(QStringList& words, const char* name, int value, int usual) {
    if (value != usual) {
        addOption(words, name, QString::number(value));
    }
}

void addTrace(QStringList& words, const RunRequest& request, const RunFiles& files) {
    addOption(words, "etdump", toQString(files.trace));
    if (request.memory) {
        words.append(QStringLiteral("--allocations"));
    }
    if (request.debugLevel.isEmpty() && request.taps.isEmpty()) {
        return;
    }
    addOption(words, "debug-buffer", toQString(files.debugBuffer));
    addOption(words, "debug-level", request.debugLevel);
    addOption(words, "taps", request.taps);
}

}  // namespace

QStringList argumentsOf(const RunRequest& request, const RunFiles& files) {
    const bool runs = request.kind == RunRequest::Kind::Run;
    QStringList words{runs ? QStringLiteral("run") : QStringLiteral("bench")};
    addOption(words, "method", request.method);
    addOption(words, "data", toQString(request.tensorData));
    addOption(words, "etrecord", toQString(request.record));
    for (const QString& each : request.inputs) {
        addOption(words, "input", each);
    }
    if (request.testCase) {
        addOption(words, "case", QString::number(*request.testCase));
    }
    addNumber(words, "seed", request.seed, 0);
    addNumber(words, "threads", request.threads, 1);
    addOption(words, "warmup", QString::number(request.warmup));
    addOption(words, "iterations", QString::number(request.iterations));
    addNumber(words, "timeout", request.timeoutSeconds, 0);
    if (runs && request.trace) {
        addTrace(words, request, files);
    }
    words.append(QStringLiteral("--format=json"));
    if (runs) {
        addOption(words, "output", toQString(files.folder));
    }
    return words + QStringList{QStringLiteral("--"), toQString(request.model)};
}

QString shellText(const QStringList& words) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=:,%+-]+$"));
    QStringList quoted;
    for (QString word : words) {
        const bool isPlain = plain.match(word).hasMatch();
        quoted.append(
            isPlain ? word
                    : QStringLiteral("'%1'").arg(word.replace(QStringLiteral("'"), QStringLiteral("'\\''"))));
    }
    return quoted.join(u' ');
}

}  // namespace et::studio
