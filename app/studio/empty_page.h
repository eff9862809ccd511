#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <vector>

class QLabel;

namespace et::studio {

/// What the window shows while nothing is open: files to come back to, ways to open others, a sample, and
/// tours.
class EmptyPage : public QWidget {
    Q_OBJECT

  public:
    explicit EmptyPage(QWidget* parent = nullptr);

    /// The sets of files opened last, newest first.
    void setRecent(const QList<QStringList>& sets);
    /// While files are being opened, the page says so instead of asking for some.
    void setOpening(bool opening);

  signals:
    void openRequested();
    void sampleWanted();
    void tourWanted(std::size_t tour);
    void filesChosen(const std::vector<std::filesystem::path>& files);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QWidget* makeContent();
    void follow(const QString& link);

    QWidget* content = nullptr;
    QLabel* opening;
    QLabel* recent = nullptr;
    QLabel* tourList = nullptr;
    QList<QStringList> recentSets;
};

}  // namespace et::studio
