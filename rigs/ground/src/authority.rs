//! Certificates for tests, from a certificate authority of the test's own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, KeyUsagePurpose};

/// A certificate authority that only the test trusts.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// Makes an authority with a new key.
    ///
    /// # Errors
    ///
    /// When the key cannot be made.
    pub fn new() -> Result<Authority> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(Vec::new())?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let pem = params.self_signed(&key)?.pem();
        Ok(Authority { issuer: Issuer::new(params, key), pem })
    }

    /// Its certificate in PEM, for clients that trust it.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Writes the authority's certificate into a folder.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        let file = folder.join("authority.pem");
        fs::write(&file, &self.pem)?;
        Ok(file)
    }

    /// Writes a certificate for a name, and its key, into a folder.
    ///
    /// # Errors
    ///
    /// When a file cannot be made or written.
    pub fn certify(&self, name: &str, folder: &Path) -> Result<(PathBuf, PathBuf)> {
        let key = KeyPair::generate()?;
        let params = CertificateParams::new(vec![name.to_owned()])?;
        let certificate = params.signed_by(&key, &self.issuer)?;
        let files = (folder.join("certificate.pem"), folder.join("key.pem"));
        fs::write(&files.0, certificate.pem())?;
        fs::write(&files.1, key.serialize_pem())?;
        Ok(files)
    }
}
