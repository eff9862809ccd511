#pragma once

#include "app/studio/session_files.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace et::studio {

/// Runs loads on a worker thread, one at a time: a new request cancels the previous one. Results are
/// delivered by signals on the thread of this object; none is delivered for a request that was cancelled or
/// replaced.
class SessionLoader : public QObject {
    Q_OBJECT

  public:
    explicit SessionLoader(QObject* parent = nullptr);
    ~SessionLoader() override;
    SessionLoader(const SessionLoader&) = delete;
    SessionLoader& operator=(const SessionLoader&) = delete;

    /// Opens `paths`; with `current`, like add().
    void open(std::vector<std::filesystem::path> paths, inspector::JoinOptions options,
              std::shared_ptr<const inspector::Session> current = nullptr,
              OpenEffect arrival = OpenEffect::AsFits);
    /// Opens files that are already assigned to members.
    void reopen(inspector::SessionFiles files, inspector::JoinOptions options);

    /// Joins the files of `session` again with other options.
    void rejoin(std::shared_ptr<const inspector::Session> session, inspector::JoinOptions options);

    void cancel();
    [[nodiscard]] bool busy() const { return running != nullptr; }

  signals:
    /// A load takes noticeably long, so progress should be shown.
    void slow();
    void finished(const et::studio::LoadOutcome& outcome);
    void cancelled();

  private:
    using Work = std::function<LoadOutcome(const std::stop_token&)>;
    struct Mailbox;
    struct Task;

    void start(Work work);
    void abandon();
    void deliver(const Mailbox* from, const LoadOutcome& outcome);

    std::unique_ptr<Task> running;                 ///< null when idle
    std::vector<std::unique_ptr<Task>> abandoned;  ///< cancelled, but not finished yet
    QTimer slowTimer;
};

}  // namespace et::studio
