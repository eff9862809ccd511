#pragma once

#include <QList>
#include <QObject>
#include <QStringList>

#include <filesystem>
#include <vector>

class QMenu;
class QSettings;

namespace et::studio {

/// "trace.etdp + model.etrecord".
[[nodiscard]] QString namesOf(const QStringList& files);
[[nodiscard]] std::vector<std::filesystem::path> toPaths(const QStringList& files);

/// Recently opened sets of files, newest first, stored in the settings and offered in a menu.
class RecentFiles : public QObject {
    Q_OBJECT

  public:
    static constexpr int maxSets = 10;

    /// Both must outlive this object.
    RecentFiles(QSettings& settings, QMenu& menu, QObject* parent = nullptr);

    /// Adds files that were opened together; moves a known set to the front.
    void add(const std::vector<std::filesystem::path>& paths);
    [[nodiscard]] QList<QStringList> sets() const;

  signals:
    void chosen(const std::vector<std::filesystem::path>& paths);

  private:
    void fillMenu();
    void clear();

    QSettings& store;
    QMenu& list;
};

}  // namespace et::studio
