//! The folder and the file of the log.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use crate::Error;

/// The folder of the log: the value of `--data`, else `HANSU_DATA`, else the platform's folder for
/// user data. It is created on first use, readable by this user only.
///
/// # Errors
///
/// When there is no such folder and none can be made.
///
/// ```
/// use hansu_records::data_dir;
/// let folder = std::env::temp_dir().join("hansu-doc");
/// assert_eq!(data_dir(Some(folder.clone()), Some("elsewhere".into()))?, folder);
/// # Ok::<(), hansu_records::Error>(())
/// ```
pub fn data_dir(flag: Option<PathBuf>, env: Option<OsString>) -> Result<PathBuf, Error> {
    let named =
        flag.or_else(|| env.map(PathBuf::from)).filter(|folder| !folder.as_os_str().is_empty());
    let folder = match named {
        Some(folder) => folder,
        None => directories::ProjectDirs::from("", "", "hansu")
            .map(|places| places.data_dir().to_path_buf())
            .ok_or(Error::NoFolder)?,
    };
    create(&folder)?;
    Ok(folder)
}

/// The log's file in its folder.
///
/// ```
/// use std::path::Path;
/// assert!(hansu_records::log_file(Path::new("data")).starts_with("data"));
/// ```
pub fn log_file(folder: &Path) -> PathBuf {
    folder.join("games.db")
}

fn create(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    Ok(builder.create(folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_comes_before_the_environment() {
        let place = tempfile::tempdir().unwrap();
        let (flag, env) = (place.path().join("flag"), place.path().join("env"));
        let both = data_dir(Some(flag.clone()), Some(env.clone().into_os_string()));
        assert_eq!(both, Ok(flag.clone()));
        assert!(flag.is_dir() && !env.exists());
        assert_eq!(data_dir(None, Some(env.clone().into_os_string())), Ok(env));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a").join("b");
        data_dir(Some(folder.clone()), None).unwrap();
        let mode = folder.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        std::fs::write(&file, "x").unwrap();
        assert!(matches!(data_dir(Some(file), None), Err(Error::Io(_))));
    }
}
