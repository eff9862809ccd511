#include "app/studio/gap/gap_job.h"

#include "app/studio/option_fields.h"
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

void GapJob::start(const tasks::GapSettings& request) {
    next = std::make_unique<QTemporaryDir>();
    process.start(RunProcess::findProgram(store),
                  commandArguments("gap", tasks::argumentsOf(request, &tasks::addGapOptions),
                                   {QStringLiteral("--format=json"),
                                    option("output", QFile::decodeName(reportFile().c_str())),
                                    option("save-tensors", next->filePath(QStringLiteral("tensors")))}));
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
