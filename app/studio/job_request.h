#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace et::inspector {
struct Session;
}
namespace et::visualizers {
class Selection;
}

// Follow-up jobs of a finding: a smaller failing program, a part of it, another memory plan, many runs. Each
// is a command of et-inspect; JobDialog collects the remaining options and starts it.
namespace et::studio {

enum class JobKind : std::uint8_t { Reduce, Extract, Replan, Soak };

/// One call of et-inspect reduce, extract, replan or soak.
struct JobRequest {
    JobKind kind = JobKind::Reduce;
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path record;      ///< empty: none, or it belongs to another program
    QString method;                    ///< empty: the default method
    QMap<QString, QString> options{};  ///< values by the option's name, such as "--fails"; empty: the default
    std::filesystem::path output;      ///< file, or folder for Reduce; unused for Soak
};

/// Returns the arguments of et-inspect for a request, starting with the command.
[[nodiscard]] QStringList argumentsOf(const JobRequest& request);

/// True if et-inspect reports progress for this kind.
[[nodiscard]] bool reportsProgress(JobKind kind);

/// Returns a request for the open files, with an unused output name next to the model. Nothing if no program
/// is open.
[[nodiscard]] std::optional<JobRequest> fixRequest(JobKind kind, const inspector::Session* session);

/// Returns a request to extract the selection: the instructions of all selected events, the selected
/// operator, or the operators with a selected debug handle; for a single delegate call, only its operators
/// with these handles. Nothing without a selection.
[[nodiscard]] std::optional<JobRequest> extractRequest(const inspector::Session* session,
                                                       const visualizers::Selection& selection);

/// True if extractRequest() returns a request; cheaper.
[[nodiscard]] bool canExtract(const inspector::Session* session, const visualizers::Selection& selection);

/// The files written by a job, to be opened together.
[[nodiscard]] std::vector<std::filesystem::path> writtenFiles(const JobRequest& request);

}  // namespace et::studio
