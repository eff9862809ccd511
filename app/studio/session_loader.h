#pragma once

#include "app/studio/session_files.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace et::studio {

/// Runs loads on a worker thread, one at a time: a new request cancels the one before. Results come as
/// signals on the thread of this object; after cancel() or a newer request none comes for the old one.
class SessionLoader : public QObject {
    Q_OBJECT

  public:
    explicit SessionLoader(QObject* parent = nullptr);
    ~SessionLoader() override;
    SessionLoader(const SessionLoader&) = delete;
    SessionLoader& operator=(const SessionLoader&) = delete;

    /// Opens `paths`; with `current` as add() does.
    void open(std::vector<std::filesystem::path> paths, inspector::JoinOptions options,
              std::shared_ptr<const inspector::Session> current = nullptr, Arrival arrival = Arrival::AsFits);
    /// Opens files whose places are known.
    void reopen(inspector::SessionFiles files, inspector::JoinOptions options);

    /// Joins the files of `session` again with other options.
    void rejoin(std::shared_ptr<const inspector::Session> session, inspector::JoinOptions options);

    void cancel();
    [[nodiscard]] bool busy() const { return running != nullptr; }

  signals:
    /// A load takes longer than a person takes for instant: time to show that something happens.
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
    std::vector<std::unique_ptr<Task>> abandoned;  ///< cancelled, still on their way out
    QTimer slowTimer;
};

}  // namespace et::studio
