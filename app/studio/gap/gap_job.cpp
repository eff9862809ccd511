#include "app/studio/gap/gap_job.h"

#include "runtime/core/mapped_file.h"

#include <QFile>

#include <fmt/format.h>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using inspector::GapReport;

QString option(const char* name, const QString& value) {
    return QStringLiteral("--%1=%2").arg(QLatin1String(name), value);
}

fs::path toPath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

core::Result<GapReport> readReport(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    return inspector::readGapJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

QStringList argumentsOf(const GapRequest& request) {
    QStringList argv{QStringLiteral("gap"), option("etrecord", QFile::decodeName(request.record.c_str()))};
    if (request.program.empty()) {
        argv += {option("etdump", QFile::decodeName(request.trace.c_str())),
                 option("debug-buffer", QFile::decodeName(request.debugBuffer.c_str()))};
    } else {
        argv.append(option("program", QFile::decodeName(request.program.c_str())));
        if (!request.tensorData.empty()) {
            argv.append(option("data", QFile::decodeName(request.tensorData.c_str())));
        }
        argv.append(QStringLiteral("--sandbox=auto"));
        if (!request.inputs.isEmpty()) {
            argv.append(option("inputs", request.inputs));
        }
    }
    if (!request.method.isEmpty()) {
        argv.append(option("method", request.method));
    }
    if (request.precision != QLatin1String("exported")) {
        argv.append(option("precision", request.precision));
    }
    if (request.bisect) {
        argv.append(QStringLiteral("--bisect"));
        if (request.tolerance != 1) {
            argv.append(option("tolerance", QString::number(request.tolerance)));
        }
    }
    return argv;
}

GapJob::GapJob(const QSettings& settings, QObject* parent) : QObject(parent), store(settings), reading(this) {
    connect(&process, &RunProcess::progressed, this, &GapJob::progressed);
    connect(&process, &RunProcess::ended, this, &GapJob::take);
}

fs::path GapJob::reportFile() const {
    return toPath(next->filePath(QStringLiteral("gap.json")));
}

fs::path GapJob::tensorFile(const inspector::GapReportRow& row, std::size_t output,
                            GapTensorSide side) const {
    if (!folder) {
        return {};
    }
    const char* const name = side == GapTensorSide::Reference ? "reference" : "runtime";
    const fs::path all = toPath(folder->path()) / "tensors";
    return (row.set == 0 ? all : all / fmt::format("inputs_{}", row.set)) /
           fmt::format("{:04}_{}_{}.npy", row.number, output, name);
}

void GapJob::start(const GapRequest& request) {
    next = std::make_unique<QTemporaryDir>();
    const QStringList argv =
        argumentsOf(request) + QStringList{QStringLiteral("--format=json"),
                                           option("output", QFile::decodeName(reportFile().c_str())),
                                           option("save-tensors", next->filePath(QStringLiteral("tensors")))};
    process.start(RunProcess::findProgram(store), argv);
}

void GapJob::cancel() {
    process.cancel();
}

void GapJob::take(const RunEnd& end) {
    if (end.kind == RunEnd::Kind::Cancelled) {
        emit cancelled();
        return;
    }
    if (end.kind != RunEnd::Kind::Finished || !fs::exists(reportFile())) {
        emit failed(failureMessage(end), QString::fromUtf8(end.log));
        return;
    }
    reading.start([path = reportFile()] { return readReport(path); },
                  [this, log = end.log](const core::Result<GapReport>& report) {
                      if (!report) {
                          emit failed(QString::fromStdString(report.error().toString()),
                                      QString::fromUtf8(log));
                          return;
                      }
                      folder = std::move(next);
                      emit calculated(std::make_shared<const GapReport>(*report));
                  });
}

}  // namespace et::studio
